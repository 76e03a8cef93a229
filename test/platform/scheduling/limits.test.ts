import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { maxReportedSpans } from '../../../src/contract/limits.ts';
import { maxImportPromptBytes } from '../../../src/contract/transfer-format.ts';
import {
  byteLimits,
  hashingLimits,
  itemLimits,
  preemptiveQueueLimits,
  queueLimits,
  slotLimits,
} from '../../../src/platform/scheduling/limits.ts';

/** Queues in which one tenant may occupy all slots, with the reason why this delays nobody for long. */
const exceptions: Record<string, string> = {
  anonymousRequests: 'A slot is taken for one turn of the event loop, only to start one by one.',
  scans: 'A small machine has one thread. A query ends after four seconds.',
  hashes: 'A small machine hashes one password at a time.',
  registrations: 'As for hashes.',
  signInsFromNewAddresses: 'As for hashes.',
};

describe('The limits of queues, slots and budgets', () => {
  const queues = { ...queueLimits, ...preemptiveQueueLimits };

  it('ASVS 15.2.2: no tenant can take all slots of a queue', () => {
    for (const [name, { running, runningPerTenant }] of Object.entries(queues)) {
      assert.ok(runningPerTenant >= 1, name);
      assert.ok(runningPerTenant < running || (name in exceptions && runningPerTenant === running), name);
    }
    const { hashes, registrations, signInsFromNewAddresses } = hashingLimits(8);
    for (const { running, runningPerTenant } of [hashes, registrations, signInsFromNewAddresses]) assert.ok(runningPerTenant < running);
  });

  it('every queue is limited in length and in waiting time', () => {
    for (const [name, { waitingPerTenant, waiting, waitTimeoutMs }] of Object.entries(queues)) {
      assert.ok(waitingPerTenant >= 1 && waitingPerTenant <= waiting && waiting <= 20_000, name);
      assert.ok(waitTimeoutMs >= 10_000 && waitTimeoutMs <= 600_000, name);
    }
  });

  it('a task is preempted long before the tasks that wait for it time out', () => {
    for (const [name, { preemptAfterMs, waitTimeoutMs }] of Object.entries(preemptiveQueueLimits)) {
      assert.ok(preemptAfterMs * 10 <= waitTimeoutMs, name);
    }
  });

  it('ASVS 15.2.2: no owner can take all slots that are held for long', () => {
    const { imports, ...counted } = slotLimits;
    for (const [name, { perOwner, total }] of Object.entries(counted)) assert.ok(perOwner * 2 <= total, name);
    assert.ok(imports.perOwner * maxImportPromptBytes * 2 <= imports.total);
  });

  it('ASVS 15.2.2: no tenant can take all the memory of a budget, and all budgets fit into a small machine', () => {
    for (const [name, { perTenant, total }] of Object.entries(byteLimits)) assert.ok(perTenant * 4 <= total, name);
    const { perTenant, total: items } = itemLimits.results;
    assert.ok(perTenant * 4 <= items && maxReportedSpans * 2 <= perTenant);
    const total = Object.values(byteLimits).reduce((sum, { total }) => sum + total, slotLimits.imports.total + items * 1024);
    assert.ok(total <= 512 * 1024 * 1024);
  });

  it('SECURITY.md and docs/settings.md name the same figures', () => {
    const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    const [security, settings] = [read('SECURITY.md'), read('docs/settings.md')];
    const count = (number: number) => number.toLocaleString('en');
    const size = (bytes: number) => (bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`);
    const { eventStreams, exports, imports } = slotLimits;
    const { webhooks, webhookTests } = preemptiveQueueLimits;
    const { nameLookups, modelTests, requests } = queueLimits;
    const rows = [
      `event streams, including MCP | ${count(eventStreams.perOwner)}, also per account | ${count(eventStreams.total)} |`,
      `do not read | ${size(byteLimits.eventStreams.perTenant)} per stream | ${size(byteLimits.eventStreams.total)} |`,
      `exports | ${exports.perOwner} | ${exports.total} |`,
      `from their first byte on | ${imports.perOwner} | ${size(imports.total)}`,
      `are being read | ${size(byteLimits.otherServers.perTenant)} | ${size(byteLimits.otherServers.total)} |`,
      `until their response is sent | ${size(byteLimits.modelRuns.perTenant)} | ${size(byteLimits.modelRuns.total)} |`,
      `when a URL is entered | ${nameLookups.runningPerTenant} | ${nameLookups.running} |`,
      `deliveries in progress | ${webhooks.runningPerTenant} slots | ${webhooks.running} slots, and another ${webhooks.running}`,
      `within ${webhooks.preemptAfterMs / 1000} second end first`,
      `webhook tests in progress | ${webhookTests.runningPerTenant} | ${webhookTests.running} | the longest tests end after ${webhookTests.preemptAfterMs / 1000} s`,
      `connection tests in progress | ${modelTests.runningPerTenant} | ${modelTests.running} |`,
    ];
    for (const row of rows) assert.ok(security.includes(row), row);
    const ofSettings = [
      `${size(byteLimits.bodies.perTenant)} together`,
      `${imports.perOwner} imports and ${exports.perOwner} exports | 429`,
      `${requests.runningPerTenant} running and ${requests.waitingPerTenant} queued`,
    ];
    for (const row of ofSettings) assert.ok(settings.includes(row), row);
  });
});
