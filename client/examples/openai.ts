// Answers a customer with the OpenAI SDK. The prompt, its model and its parameters are in PromptHarbor.
//   PROMPTHARBOR_API_KEY=ph_… OPENAI_API_KEY=sk-… node openai.ts "Where is my order?"
import { PromptHarbor } from '@promptharbor/client';
import OpenAI from 'openai';

const prompts = await new PromptHarbor().prompts.load({ fallbackFile: '.cache/prompts.json' });
const openai = new OpenAI();

const prompt = prompts.get('support/reply');
const { messages = [], config } = await prompt.render({
  customer: 'Ada',
  history: [{ role: 'user', content: process.argv[2] ?? 'Where is my order?' }],
});
const completion = await openai.chat.completions.create({
  model: 'gpt-5-mini',
  ...(config as { model?: string; temperature?: number }),
  messages: messages as OpenAI.ChatCompletionMessageParam[],
  // So that you see later which version led to which answer.
  metadata: { prompt: `${prompt.name}@${prompt.version}` },
});
console.log(completion.choices[0]?.message.content);
