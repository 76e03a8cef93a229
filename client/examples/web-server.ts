// A web server whose prompts change without a restart. Once it has a fallback file, it also starts while PromptHarbor is down. README.md
// shows how to add the prompts.
//   node web-server.ts
//   curl 'http://localhost:4000/support/triage?request=It+leaks'
import { createServer } from 'node:http';
import { ApiError, PromptHarbor } from '@promptharbor/client';

const ph = new PromptHarbor();
const prompts = await ph.prompts.load({
  label: process.env.PROMPT_LABEL ?? 'production',
  fallbackFile: '.cache/prompts.json',
  onChange: ({ added, changed, removed }) => console.log('prompts changed', { added, changed, removed }),
  onAuthError: (err) => console.error('the key was reset; deploy with the new one', err.requestId),
});

const server = createServer(async (req, res) => {
  try {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
    if (pathname === '/health') {
      const { status, source, ageMs } = prompts.state;
      return res.end(JSON.stringify({ status, source, ageMs }));
    }
    const prompt = prompts.find(decodeURIComponent(pathname.slice(1)));
    if (!prompt) return res.writeHead(404).end();
    return res.end(JSON.stringify(prompt.renderSync(Object.fromEntries(searchParams))));
  } catch (err) {
    // The message says what is wrong, for example which variable is missing.
    return res.writeHead(err instanceof ApiError ? err.status : 500).end(err instanceof Error ? err.message : '');
  }
});
server.listen(Number(process.env.PORT ?? 4000), () => console.log('listening on', server.address()));

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await prompts.close();
});
