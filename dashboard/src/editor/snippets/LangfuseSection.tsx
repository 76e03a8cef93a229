import { useQuery } from '@tanstack/react-query';
import { isPortable, replaceIncludes } from '../../../../src/contract/composition.ts';
import { listTemplates } from '../../../../src/contract/message-content.ts';
import { langfuseSettings } from '../../connect/langfuse-settings.ts';
import { useCurrentWorkspaceId } from '../../lib/current-workspace.ts';
import { sessionQuery } from '../../lib/session.ts';
import type { Version } from '../../lib/types.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Section } from '../../ui/Card.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { keyPlaceholder } from './snippets.ts';

/** Shows the settings that programs with Langfuse's SDKs need to read this prompt, and says whether these programs can render it. */
export function LangfuseSection({ version }: { version: Version | undefined }) {
  const { data: user } = useQuery(sessionQuery);
  const workspaceId = useCurrentWorkspaceId();
  const code = langfuseSettings({ origin: location.origin, key: keyPlaceholder, userId: user?.userId ?? '' });
  const canRender = version === undefined || isRenderedByLangfuse(version);
  return (
    <Section
      title="Langfuse’s SDKs"
      description={
        workspaceId === undefined
          ? 'Programs that use Langfuse’s SDKs can read this prompt, and their calls appear under Results. Set all of these environment variables. Each SDK version reads the address from a different variable, and sends your key to Langfuse’s cloud if that variable is missing.'
          : 'Programs that use Langfuse’s SDKs can read this prompt with the key of a service account in this workspace, and their calls appear under Results.'
      }
      actions={!canRender && <Badge tone="warn">Liquid only</Badge>}
    >
      {!canRender && (
        <p className="mb-3 text-ink-2">
          The SDKs render only plain variables, but this version uses other features of Liquid. Let the server render it.
        </p>
      )}
      {workspaceId === undefined && <CodeBlock label="settings" code={code} />}
    </Section>
  );
}

function isRenderedByLangfuse({ syntax, template, messages = [] }: Version): boolean {
  if (syntax === 'mustache') return true;
  const contents = template === undefined ? messages.map((message) => ('content' in message ? message.content : '')) : [template];
  return contents.flatMap(listTemplates).every(({ text }) => isPortable(replaceIncludes(text, syntax, () => '')));
}
