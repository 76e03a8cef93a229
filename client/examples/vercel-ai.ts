// Answers a customer with the Vercel AI SDK and any server that speaks OpenAI's protocol.
//   PROMPTHARBOR_API_KEY=ph_… OPENAI_BASE_URL=http://localhost:11434/v1 node vercel-ai.ts "Where is my order?"
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { PromptHarbor } from '@promptharbor/client';
import { generateText, type ModelMessage } from 'ai';

const prompts = await new PromptHarbor().prompts.load();
const models = createOpenAICompatible({ name: 'models', baseURL: process.env.OPENAI_BASE_URL ?? 'http://localhost:11434/v1' });

const { messages = [], config } = await prompts.get('support/reply').render({ customer: 'Ada' });
const { model = 'llama3.3' } = config as { model?: string };
const [system, ...rest] = messages;
const { text } = await generateText({
  model: models(model),
  ...(system && { system: system.content }),
  messages: [...(rest as ModelMessage[]), { role: 'user', content: process.argv[2] ?? 'Where is my order?' }],
});
console.log(text);
