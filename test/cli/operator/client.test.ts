import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { isServed, sendTask } from '../../../src/cli/operator/client.ts';
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

  it('lets a command end with an error too, even in the middle of a response', () =>
    withDataDir(async (dataDir) => {
      const lines: string[] = [];
      const send = () =>
        sendTask({ dataDir, name: 'accounts list', values: {}, print: async (line) => void lines.push(line), timeoutMs: 200 });
      let isBegun = false;
      const server = createHttpServer((_req, res) => {
        if (isBegun) res.writeHead(200).write('{"print":"one"}\n\n');
      }).listen(socketFileIn(dataDir));
      await once(server, 'listening');
      await assert.rejects(send(), /promptharbor\.sock does not respond/);
      isBegun = true;
      await assert.rejects(send(), /promptharbor\.sock does not respond/);
      assert.deepEqual(lines, ['one']);
      server.closeAllConnections();
      server.close();
    }));

  it('finds nothing in a folder without a socket', () => withDataDir(async (dataDir) => assert.equal(await isServed(dataDir), false)));
});
