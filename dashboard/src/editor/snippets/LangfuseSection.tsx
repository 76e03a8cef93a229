import { useQuery } from '@tanstack/react-query';
import { isPortable, replaceIncludes } from '../../../../src/contract/composition.ts';
import { listTemplates } from '../../../../src/contract/message-content.ts';
import { useCurrentWorkspaceId } from '../../lib/current-workspace.ts';
import { sessionQuery } from '../../lib/session.ts';
import type { Version } from '../../lib/types.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Section } from '../../ui/Card.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { keyPlaceholder } from './snippets.ts';

/** The settings that programs with Langfuse's SDKs need to read this prompt, and whether these programs can render it. */
export function LangfuseSection({ version }: { version: Version | undefined }) {
  const { data: user } = useQuery(sessionQuery);
  const workspaceId = useCurrentWorkspaceId();
  // The name of the address setting depends on the version of the SDK. An SDK that does not find its setting sends the key to Langfuse's
  // cloud.
  const code = `export LANGFUSE_BASE_URL=${location.origin}
export LANGFUSE_BASEURL=${location.origin}
export LANGFUSE_HOST=${location.origin}
export LANGFUSE_PUBLIC_KEY=${user?.userId ?? ''}
export LANGFUSE_SECRET_KEY=${keyPlaceholder}`;
  const canRender = version === undefined || isRenderedByLangfuse(version);
  return (
    <Section
      title="Langfuse’s SDKs"
      description={
        workspaceId === undefined
          ? 'Programs that use Langfuse’s SDKs can read this prompt. Set all of these environment variables. Each SDK version reads the address from a different variable, and sends your key to Langfuse’s cloud if that variable is missing.'
          : 'Programs that use Langfuse’s SDKs can read this prompt with the key of a service account in this workspace.'
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
