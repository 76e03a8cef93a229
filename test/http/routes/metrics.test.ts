import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { version } from '../../../src/version.ts';
import { call, register } from '../../support/client.ts';
import { engines } from '../../support/engines.ts';
import { sendRawOnce } from '../../support/raw.ts';
import { type Service, startService } from '../../support/service.ts';

const token = 'a token for the metrics';

for (const engine of engines) {
  describe(`GET /metrics (${engine.name})`, () => {
    let service: Service;
    before(async () => {
      service = await startService({ engine });
    });
    after(() => service.close());

    it('200: counts requests by route and status, refused ones too, and never by the path as sent', async () => {
      const { token: key } = await register(service);
      await call(service, 'GET', '/api/prompts/one', { key });
      await call(service, 'GET', '/api/prompts/two', { key });
      await call(service, 'GET', '/api/prompts', { key: 'nonsense' });
      await call(service, 'GET', '/api/typed/by/someone');
      const response = await call(service, 'GET', '/metrics');
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
      assert.equal(readMetric(response.text, 'promptharbor_requests_total{route="GET /api/prompts/{name}",status="404"}'), 2);
      assert.equal(readMetric(response.text, 'promptharbor_requests_total{route="GET /api/prompts",status="401"}'), 1);
      assert.equal(readMetric(response.text, 'promptharbor_requests_total{route="none",status="404"}'), 1);
      assert.doesNotMatch(response.text, /typed|ph_[0-9a-f]{64}|\bu_[0-9a-z]+_/);
    });

    it('200: the last bucket of the duration histogram equals its count', async () => {
      const { text } = await call(service, 'GET', '/metrics');
      const name = 'promptharbor_request_duration_seconds';
      const route = 'route="GET /api/prompts/{name}"';
      assert.equal(readMetric(text, `${name}_bucket{${route},le="+Inf"}`), 2);
      assert.equal(readMetric(text, `${name}_count{${route}}`), 2);
      assert.ok(readMetric(text, `${name}_sum{${route}}`) > 0);
      const buckets = text.split('\n').filter((line) => line.startsWith(`${name}_bucket{${route}`));
      const counts = buckets.map((line) => Number(line.split(' ').at(-1)));
      assert.deepEqual(
        counts,
        counts.toSorted((a, b) => a - b),
      );
    });

    it('200: says which build is running', async () => {
      const { text } = await call(service, 'GET', '/metrics');
      assert.equal(readMetric(text, `promptharbor_build_info{version="${version}",commit="unknown",form="source"}`), 1);
    });

    it('200: shows event loop, memory and queues', async () => {
      const { text } = await call(service, 'GET', '/metrics');
      for (const name of [
        'promptharbor_event_loop_delay_seconds{quantile="0.99"}',
        'process_resident_memory_bytes',
        'process_cpu_seconds_total',
        'promptharbor_hashing_waiting',
        'promptharbor_statistics_waiting',
        'promptharbor_webhook_deliveries_waiting',
        'promptharbor_webhook_oldest_due_seconds',
        'promptharbor_webhook_deliveries_total',
        'promptharbor_webhook_failures_total',
        'promptharbor_statistics_dropped_total',
        'promptharbor_statistics_write_failures_total',
        ...service.ctx.store.metrics().map((metric) => metric.name),
      ]) {
        assert.ok(readMetric(text, name) >= 0, name);
      }
    });

    it('200: every metric is explained in docs/operating.md, and docs/grafana.json uses none that does not exist', async () => {
      const { text } = await call(service, 'GET', '/metrics');
      const names = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
      const page = await readFile(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
      // The page lists the metrics of the connections only by their suffixes.
      for (const name of names.filter((candidate) => !candidate.startsWith('promptharbor_database_'))) assert.ok(page.includes(name), name);

      const dashboard = await readFile(new URL('../../../docs/grafana.json', import.meta.url), 'utf8');
      const asked = new Set([...dashboard.matchAll(/promptharbor_\w+/g)].map(([name]) => name.replace(/_bucket$/, '')));
      assert.ok(asked.size > 10);
      const onlyOnTheOther = engine.shared ? /^promptharbor_backup_/ : /^promptharbor_(database|lookup)_/;
      for (const name of asked) assert.ok(names.includes(name) || onlyOnTheOther.test(name), name);
    });

    it('403: to requests through a proxy, even if they claim to come from this machine', async (t) => {
      const proxied: Record<string, string>[] = [
        { 'x-forwarded-for': '127.0.0.1' },
        { 'x-forwarded-for': '203.0.113.7' },
        { forwarded: 'for=127.0.0.1' },
        { 'x-real-ip': '127.0.0.1' },
        { via: '1.1 proxy' },
      ];
      for (const trust of ['false', 'true']) {
        const proxiedService = await startService({ engine, env: { TRUST_PROXY: trust } });
        t.after(() => proxiedService.close());
        for (const headers of proxied) {
          const response = await call(proxiedService, 'GET', '/metrics', { headers });
          assert.equal(response.status, 403, JSON.stringify({ trust, headers }));
          assert.equal((response.body as { code: string }).code, 'metrics_forbidden');
        }
      }
    });

    it('403: to requests for another host, such as one that a web page made resolve to this machine', async () => {
      const get = async (host: string) => (await sendRawOnce(service, `GET /metrics HTTP/1.1\r\n${host}connection: close\r\n\r\n`)).status;
      for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:3000']) {
        assert.equal(await get(`host: ${host}\r\n`), 200, host);
      }
      for (const host of [
        'evil.example',
        'evil.example:3000',
        'localhost.evil.example',
        '127.0.0.1.nip.io',
        'localhost@evil.example',
        '',
      ]) {
        assert.equal(await get(`host: ${host}\r\n`), 403, host);
      }
      assert.equal((await sendRawOnce(service, 'GET /metrics HTTP/1.0\r\n\r\n')).status, 403);
    });

    it('401: with METRICS_TOKEN to callers without it, 200 to callers with it, from any address', async (t) => {
      const guarded = await startService({ engine, env: { METRICS_TOKEN: token } });
      t.after(() => guarded.close());
      const { token: key } = await register(guarded);
      for (const authorization of [
        undefined,
        'Bearer',
        `Bearer ${token}x`,
        `Bearer ${token.slice(1)}`,
        `Basic ${token}`,
        `Bearer ${key}`,
      ]) {
        const response = await call(guarded, 'GET', '/metrics', { headers: authorization === undefined ? {} : { authorization } });
        assert.equal(response.status, 401, authorization ?? 'nothing');
        assert.equal(response.text, '{"error":"Unauthorized"}');
      }
      const headers = { authorization: `bearer ${token}`, 'x-forwarded-for': '203.0.113.7' };
      assert.equal((await call(guarded, 'GET', '/metrics', { headers })).status, 200);
      assert.doesNotMatch(guarded.logs(), new RegExp(token));
    });

    it('405: to other methods', async () => {
      const response = await call(service, 'POST', '/metrics');
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), 'GET, HEAD');
    });
  });
}

function readMetric(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
}
