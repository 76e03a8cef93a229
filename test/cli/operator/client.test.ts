import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { isServed } from '../../../src/cli/operator/client.ts';
import { socketFileIn } from '../../../src/cli/operator/socket-path.ts';
import { withDataDir } from '../../support/process.ts';

describe('the probe for a service in a data folder', () => {
  it('ends with an error when something accepts the connection and never responds', () =>
    withDataDir(async (dataDir) => {
      const sockets: Socket[] = [];
      const server = createServer((socket) => void sockets.push(socket)).listen(socketFileIn(dataDir));
      await once(server, 'listening');
      await assert.rejects(isServed(dataDir), /promptharbor\.sock does not respond/);
      assert.equal(sockets.length, 1);
      for (const socket of sockets) socket.destroy();
      server.close();
    }));

  it('finds nothing in a folder without a socket', () => withDataDir(async (dataDir) => assert.equal(await isServed(dataDir), false)));
});
