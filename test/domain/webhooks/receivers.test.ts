import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createReceivers } from '../../../src/domain/webhooks/receivers.ts';

const webhook = { accountId: 'u_1', webhookId: 'w_1' };
const other = { accountId: 'u_1', webhookId: 'w_2' };

describe('The receivers of webhooks', () => {
  it('pause after a silence, longer each time up to a minute, until they respond', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 0 });
    const receivers = createReceivers(5000);
    assert.equal(receivers.isResponsive(webhook), false, 'nobody knows yet');
    for (const seconds of [5, 20, 60, 60]) {
      receivers.noteSilence(webhook);
      t.mock.timers.tick(seconds * 1000 - 1);
      assert.deepEqual([receivers.isPaused(webhook), receivers.isResponsive(webhook)], [true, false], `${seconds} s`);
      t.mock.timers.tick(1);
      assert.equal(receivers.isPaused(webhook), false);
    }
    receivers.noteResponse(webhook);
    assert.deepEqual([receivers.isPaused(webhook), receivers.isResponsive(webhook)], [false, true]);
    receivers.noteSilence(webhook);
    t.mock.timers.tick(5000);
    assert.equal(receivers.isPaused(webhook), false, 'it starts again');
    assert.deepEqual([receivers.isPaused(other), receivers.isResponsive(other)], [false, false]);
  });

  it('pause for as long as they request', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 0 });
    const receivers = createReceivers(5000);
    receivers.pause(webhook, 60_000);
    t.mock.timers.tick(59_999);
    assert.deepEqual([receivers.isPaused(webhook), receivers.isPaused(other)], [true, false]);
    t.mock.timers.tick(1);
    assert.deepEqual([receivers.isPaused(webhook), receivers.isResponsive(webhook)], [false, true]);
  });
});
