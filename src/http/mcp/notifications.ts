import { InMemoryServerEventBus, type ServerEvent } from '@modelcontextprotocol/server';
import type { WorkspaceEvent } from '../../contract/events.ts';
import { latestLabel } from '../../contract/label-names.ts';
import { parseUri } from './resource-uris.ts';

export type Notifier = ReturnType<typeof createNotifier>;

/**
 * Converts the events of a workspace to notifications for one listener. Each listener has its own bus, so that it never receives
 * notifications about another workspace. `uris` are the resources to which the listener subscribed. Notifications use the listener's own
 * spelling of them.
 */
export function createNotifier(label: string, uris: readonly string[]) {
  const bus = new InMemoryServerEventBus();
  const urisByName = Map.groupBy(uris, (uri) => parseUri(uri)?.name);
  let pending = new Map<string, ServerEvent>();

  function flush(): void {
    const events = pending;
    pending = new Map();
    for (const event of events.values()) bus.publish(event);
  }

  return {
    bus,
    add(event: WorkspaceEvent): void {
      for (const notification of toNotifications(event, label, urisByName)) {
        // One write may cause many events, but the listener needs only one notification.
        if (pending.size === 0) queueMicrotask(flush);
        pending.set(notification.kind === 'resource_updated' ? notification.uri : notification.kind, notification);
      }
    },
  };
}

function* toNotifications(
  event: WorkspaceEvent,
  label: string,
  urisByName: ReadonlyMap<string | undefined, string[]>,
): Generator<ServerEvent> {
  // Results are not part of a prompt, so the prompt that a listener has read is unchanged.
  if (!event.prompt || event.type === 'results.worsened') return;
  if (changesPrompts(event, label)) yield { kind: 'prompts_list_changed' };
  if (event.type.startsWith('prompt.')) yield { kind: 'resources_list_changed' };
  const names = new Set([event.prompt.name, ...(typeof event.from === 'string' ? [event.from] : [])]);
  for (const name of names) for (const uri of urisByName.get(name) ?? []) yield { kind: 'resource_updated', uri };
}

/** Returns whether an event may change the list of prompts with a label, including their descriptions and arguments. */
function changesPrompts({ type, label: moved, labels }: WorkspaceEvent, label: string): boolean {
  if (type.startsWith('prompt.')) return true;
  if (type === 'version.created' || type === 'version.deleted') return label === latestLabel;
  if (type === 'dependency.changed') return labels?.includes(label) ?? true;
  return moved === label;
}
