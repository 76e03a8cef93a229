import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { renderChart } from '../../../scripts/release/chart.ts';
import { renderTemplate, type Values } from '../../../scripts/release/render-chart.ts';
import { loadConfig } from '../../../src/config.ts';

interface Manifest {
  kind: string;
}

/** Returns the value at a path, such as `spec.ports.0`. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);
}

function parse(text: string): Manifest[] {
  return parseAllDocuments(text, { uniqueKeys: true }).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS() as Manifest;
  });
}

async function render(values: Values): Promise<Map<string, Manifest>> {
  return new Map(parse(await renderChart(values)).map((manifest) => [manifest.kind, manifest]));
}

const read = (name: string) => readFileSync(new URL(`../../../deploy/kubernetes/${name}.yaml`, import.meta.url), 'utf8');

describe('the Helm chart', () => {
  it('the committed manifests are what the chart renders', async () => {
    assert.equal(read('sqlite'), await renderChart({}));
    assert.equal(read('postgres'), await renderChart({ database: 'postgres' }));
  });

  it('SQLite: one instance with a volume that outlives it, and never two at once', async () => {
    const manifests = await render({ replicas: 5 });
    const deployment = manifests.get('Deployment');
    assert.equal(at(deployment, 'spec.replicas'), 1);
    assert.equal(at(deployment, 'spec.strategy.type'), 'Recreate');
    assert.equal(at(deployment, 'spec.template.spec.volumes.1.persistentVolumeClaim.claimName'), 'promptharbor');
    assert.equal(at(manifests.get('PersistentVolumeClaim'), 'spec.resources.requests.storage'), '10Gi');
    assert.equal(manifests.has('PodDisruptionBudget'), false);
  });

  it('PostgreSQL: several instances, of which at most one is disrupted', async () => {
    const manifests = await render({ database: 'postgres', replicas: 5 });
    assert.equal(at(manifests.get('Deployment'), 'spec.replicas'), 5);
    assert.equal(at(manifests.get('Deployment'), 'spec.strategy.rollingUpdate.maxUnavailable'), 0);
    assert.equal(at(manifests.get('PodDisruptionBudget'), 'spec.maxUnavailable'), 1);
    assert.equal(manifests.has('PersistentVolumeClaim'), false);
  });

  it('runs without privileges, on a read-only root, with secrets that are not in the chart', async () => {
    for (const database of ['sqlite', 'postgres']) {
      const pod = at((await render({ database })).get('Deployment'), 'spec.template.spec');
      assert.equal(at(pod, 'securityContext.runAsNonRoot'), true);
      assert.equal(at(pod, 'automountServiceAccountToken'), false);
      const security = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
      assert.deepEqual(at(pod, 'containers.0.securityContext'), security);
      assert.deepEqual(at(pod, 'containers.0.envFrom'), [{ secretRef: { name: 'promptharbor' } }]);
      assert.deepEqual(
        [at(pod, 'containers.0.volumeMounts.0.mountPath'), at(pod, 'containers.0.volumeMounts.1.mountPath')],
        ['/tmp', '/data'],
      );
    }
  });

  it('the drain ends before the pod is killed, and the settings are valid', async () => {
    const settings = { QUOTA_PROMPTS: 500, REGISTRATION: 'closed' };
    const pod = at((await render({ settings, publicUrl: 'https://prompts.example.com' })).get('Deployment'), 'spec.template.spec');
    const list = at(pod, 'containers.0.env') as { name: string; value: string }[];
    const config = loadConfig(Object.fromEntries(list.map(({ name, value }) => [name, value])));
    assert.equal(config.drainMs, 5000);
    assert.ok(config.drainMs + 10_000 < Number(at(pod, 'terminationGracePeriodSeconds')) * 1000);
    assert.equal(config.quotas.prompts, 500);
    assert.equal(config.registration, 'closed');
    assert.equal(config.publicUrl?.origin, 'https://prompts.example.com');
  });

  it('the selectors find the pods, and the optional parts can be turned on and off', async () => {
    const optional = {
      image: { pullSecretName: 'registry' },
      ingress: { enabled: true, className: 'nginx', annotations: { 'cert-manager.io/cluster-issuer': 'main' }, tlsSecretName: 'tls' },
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    };
    const all = await render({ database: 'postgres', ...optional });
    const labels = at(all.get('Deployment'), 'spec.template.metadata.labels');
    assert.deepEqual(at(all.get('Service'), 'spec.selector'), labels);
    assert.deepEqual(at(all.get('NetworkPolicy'), 'spec.podSelector.matchLabels'), labels);
    assert.deepEqual(at(all.get('PodDisruptionBudget'), 'spec.selector.matchLabels'), labels);
    assert.deepEqual(at(all.get('Deployment'), 'spec.template.spec.imagePullSecrets'), [{ name: 'registry' }]);
    assert.equal(at(all.get('Ingress'), 'spec.ingressClassName'), 'nginx');
    assert.deepEqual(at(all.get('Ingress'), 'metadata.annotations'), { 'cert-manager.io/cluster-issuer': 'main' });
    assert.deepEqual(at(all.get('ServiceMonitor'), 'metadata.labels'), { release: 'prometheus' });
    assert.equal(at(all.get('ServiceMonitor'), 'spec.endpoints.0.authorization.credentials.key'), 'METRICS_TOKEN');
    const plain = await render({ ingress: { enabled: true }, serviceMonitor: { enabled: true } });
    for (const kind of ['Ingress', 'ServiceMonitor']) assert.deepEqual(at(plain.get(kind), 'metadata'), { name: 'promptharbor' });
    const few = await render({ networkPolicy: { enabled: false } });
    assert.deepEqual([...few.keys()].sort(), ['Deployment', 'PersistentVolumeClaim', 'Service']);
  });
});

describe('renderTemplate', () => {
  it('refuses what it does not support, instead of rendering something else than Helm', () => {
    for (const text of [
      '{{ include "x" . }}',
      '{{ .Values.x | indent 2 }}',
      '{{ with .Values }}{{ end }}',
      '{{ .Values.missing }}',
      '{{ if .Values.x }}',
    ]) {
      assert.throws(() => renderTemplate(text, { Values: { x: 1 } }), Error, text);
    }
  });

  it('renders nested blocks, and removes the white space that hyphens mark', () => {
    const text =
      'a\n{{- if .Values.yes }}\nb\n{{- range $k, $v := .Values.map }}\n{{ $k }}={{ $v | quote }}\n{{- end }}\n{{- else }}\nc\n{{- end }}\nd';
    assert.equal(renderTemplate(text, { Values: { yes: true, map: { z: 1, y: 'x"' } } }), 'a\nb\ny="x\\""\nz="1"\nd');
    assert.equal(renderTemplate(text, { Values: { yes: false, map: {} } }), 'a\nc\nd');
  });
});
