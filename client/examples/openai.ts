// Answers a customer with the OpenAI SDK. PromptHarbor stores the prompt, its model and its parameters. README.md shows how to add the prompt.
//   OPENAI_API_KEY=sk-… node openai.ts "Where is order 1042?"
import { PromptHarbor } from '@promptharbor/client';
import { toOpenAI } from '@promptharbor/client/openai';
import OpenAI from 'openai';

const prompts = await new PromptHarbor().prompts.load({ fallbackFile: '.cache/prompts.json' });
const openai = new OpenAI();

const prompt = prompts.get('support/agent');
const rendered = await prompt.render({
  today: new Date().toDateString(),
  question: process.argv[2] ?? 'Where is order 1042?',
  history: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hello! How can I help?' },
  ],
});
const completion = await openai.chat.completions.create({
  model: 'gpt-4.1-mini',
  // The messages, the tools, and everything that the config names: the model, the temperature and so on.
  ...toOpenAI(rendered),
  ...(process.env.OPENAI_MODEL && { model: process.env.OPENAI_MODEL }),
  // Records which version of the prompt led to this answer.
  metadata: { prompt: `${prompt.name}@${prompt.version}` },
});
const message = completion.choices[0]?.message;
// If there is no content, the model calls a tool of the prompt, such as find_order.
console.log(message?.content ?? message?.tool_calls);
