// Answers a customer with LangChain. README.md shows how to add the prompt.
//   OPENAI_API_KEY=sk-… node langchain.ts "Where is order 1042?"
import { ChatOpenAI } from '@langchain/openai';
import { PromptHarbor } from '@promptharbor/client';
import { toLangChain } from '@promptharbor/client/langchain';

const prompts = await new PromptHarbor().prompts.load({ fallbackFile: '.cache/prompts.json' });

const rendered = await prompts.get('support/agent').render({
  today: new Date().toDateString(),
  question: process.argv[2] ?? 'Where is order 1042?',
});
const { messages, settings, tools = [] } = toLangChain(rendered);
const model = new ChatOpenAI({ ...settings, ...(process.env.OPENAI_MODEL && { model: process.env.OPENAI_MODEL }) });
const { text, tool_calls } = await model.bindTools(tools).invoke(messages);
// If there is no text, the model calls a tool of the prompt, such as find_order.
console.log(text || tool_calls);
