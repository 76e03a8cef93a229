// Drafts a reply with the Vercel AI SDK and any OpenAI-compatible server, such as Ollama. README.md shows how to add the prompt.
//   OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=llama3.3 node vercel-ai.ts "When does my grinder arrive?"
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { PromptHarbor } from '@promptharbor/client';
import { toAISDK } from '@promptharbor/client/ai-sdk';
import { generateText } from 'ai';

// The prompt has conditions and loops. It is rendered in this process, even while PromptHarbor is unavailable.
const prompts = await new PromptHarbor().prompts.load({ fallbackFile: '.cache/prompts.json' });
const models = createOpenAICompatible({ name: 'models', baseURL: process.env.OPENAI_BASE_URL ?? 'http://localhost:11434/v1' });

const rendered = await prompts.get('support/reply').render({
  customer: 'Ada',
  question: process.argv[2] ?? 'When does my grinder arrive?',
  orders: [{ item: 'Grinder G2', date: '2 May' }],
});
const { modelId = 'llama3.3', ...settings } = toAISDK(rendered, { provider: 'models' });
const { text } = await generateText({ model: models(process.env.OPENAI_MODEL ?? modelId), ...settings });
console.log(text);
