import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { EventStreamQuery } from '../../contract/events.ts';
import { normalizeName } from '../../contract/prompt-names.ts';
import type { PublishedEvent, Reader } from '../../domain/events/feed.ts';
import { createAccessCheck } from '../middleware/access-check.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

export const eventRoutes: Routes = ({ ctx, sessionCookie, eventStreams, createRoute }) => {
  const route = createRoute({ tag: 'Events' });

  route('GET', '/api/events', {
    operationId: 'streamEvents',
    summary: 'Stream the events of the workspace',
    description:
      'Sends server-sent events whose `id` is the workspace’s revision and whose `data` is a WorkspaceEvent. The first event is ' +
      '`{"type":"hello","revision":…}`. With `Last-Event-ID` or `after`, missed events follow. If those events are no longer kept (30 ' +
      'days, up to 250,000 events), `{"type":"reset"}` is sent instead, and you should fetch everything again. A comment is sent every ' +
      '15 seconds. The stream ends when the key is reset.',
    options: { exposeHeadRoute: false },
    querystring: EventStreamQuery,
    response: { 200: Type.String({ contentMediaType: 'text/event-stream' }) },
    errors: [429],
    handler: async (req, reply) => {
      const actor = actorOf(req);
      const after = readPosition(req);
      const stream = eventStreams.open(req, reply, new Set([actor.accountId, actor.workspaceId]));
      const reader: Reader = {
        workspaceId: actor.workspaceId,
        revision: actor.revision,
        ...createAccessCheck(ctx, req, sessionCookie.read(req)),
        onEvent: (event) => {
          if (isWanted(event, req.query)) stream.send(event.revision, event.json);
        },
        onReset: () => stream.send(actor.revision, '{"type":"reset"}'),
        drained: stream.drained,
        onEnd: stream.end,
      };
      stream.onClose(() => ctx.feed.remove(reader));
      stream.send(after ?? actor.revision, `{"type":"hello","revision":${actor.revision}}`);
      ctx.feed.add(reader, after).catch(stream.destroy);
      return reply;
    },
  });
};

function readPosition({ query, headers }: FastifyRequest<{ Querystring: EventStreamQuery }>): number | undefined {
  const text = query.after ?? headers['last-event-id'];
  if (text === undefined || text === '') return undefined;
  // An invalid id becomes -1, from which no stream can be resumed.
  return typeof text === 'string' && /^[0-9]{1,16}$/.test(text) ? Number(text) : -1;
}

function isWanted({ event }: PublishedEvent, { prompt, label }: EventStreamQuery): boolean {
  if (prompt !== undefined && event.prompt?.name !== normalizeName(prompt)) return false;
  return label === undefined || event.label === label;
}
