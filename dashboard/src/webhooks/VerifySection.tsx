import { useState } from 'react';
import { Section } from '../ui/Card.tsx';
import { CodeBlock } from '../ui/CodeBlock.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { type VerifyLanguage, verifyLanguages, verifySnippets } from './verify-snippets.ts';

/** Shows code with which the receiver verifies deliveries. */
export function VerifySection() {
  const [language, setLanguage] = useState<VerifyLanguage>('typescript');
  return (
    <Section
      title="Verify the signature"
      description="Anyone can send a request to your URL. Only requests with a valid signature come from PromptHarbor."
      actions={<Segmented label="Language" value={language} options={verifyLanguages} onChange={setLanguage} />}
    >
      <CodeBlock label="verification code" code={verifySnippets[language]} />
      <p className="mt-3 text-ink-3 text-xs">
        Verify the raw body, before you parse it. A delivery may arrive twice, so store the webhook-id of each delivery that you have
        handled. The format is{' '}
        <a
          href="https://www.standardwebhooks.com"
          target="_blank"
          rel="noreferrer"
          className="rounded-sm font-medium text-accent-ink underline underline-offset-3"
        >
          Standard Webhooks
        </a>
        , which has libraries for most languages.
      </p>
    </Section>
  );
}
