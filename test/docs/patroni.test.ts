import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { createAddresses, renderEtcd, renderHaproxy, renderPatroni } from '../../campaigns/failover/templates.ts';

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

it('docs/running.md shows the files of docs/examples/patroni, from which the failover campaign starts its cluster', () => {
  const document = read('running.md');
  for (const name of ['etcd.conf', 'patroni.yml', 'haproxy.cfg']) {
    assert.ok(document.includes(`\n${read(`examples/patroni/${name}`)}\`\`\``), name);
  }

  const addresses = createAddresses('127.20.30');
  const passwords = { superuser: 'one', replication: 'two', rewind: 'three' };
  const rendered = [
    renderPatroni(2, { addresses, passwords, folder: '/cluster/db2' }),
    JSON.stringify(renderEtcd(2, { addresses, folder: '/cluster/etcd2' })),
    renderHaproxy(addresses),
  ];
  for (const text of rendered) assert.doesNotMatch(text, /10\.0\.0\.|-password|\/var\/lib/);
  assert.match(rendered[1] ?? '', /"ETCD_INITIAL_CLUSTER":"etcd1=http:\/\/127.20.30.21:2380,etcd2=/);
});

it('the lease of a primary is shorter than the time after which the documented cluster replaces it', () => {
  const [ttl, loopWait] = ['ttl', 'loop_wait'].map((name) =>
    Number(new RegExp(`${name}: (\\d+)`).exec(read('examples/patroni/patroni.yml'))?.[1]),
  );
  const leaseMs = Number(/`PRIMARY_LEASE_MS` \| `(\d+)`/.exec(read('settings.md'))?.[1]);
  assert.ok(leaseMs < ((ttl ?? 0) - (loopWait ?? 0)) * 1000);
});
