import { productionLabel } from '../../../src/contract/label-names.ts';
import { langfuseSettings } from './langfuse-settings.ts';
import { pythonLiteral, quote, scriptLiteral } from './literals.ts';

/** The prompt that the programs call. */
export interface ExamplePrompt {
  name: string;
  type: 'text' | 'chat';
  /** The label with which the programs read the prompt. */
  label: string;
  /** The version at this label. */
  version: number;
  /** A value for each variable that the version requires. */
  variables: Record<string, unknown>;
}

/** The data that a setup needs. */
interface Target {
  origin: string;
  /** The API key, or what the page shows in its place. */
  key: string;
  /** The `userId`, which Langfuse's SDKs send as the public key. */
  userId: string;
  prompt: ExamplePrompt;
}

interface Block {
  title: string;
  code: string;
}

interface ResultSetup {
  id: string;
  name: string;
  /** An explanation of the lines. */
  note: string;
  blocks(target: Target): Block[];
}

const clientSettings = ({ origin, key }: Target) => `export PROMPTHARBOR_URL=${origin}
export PROMPTHARBOR_API_KEY=${key}`;

/** The settings of an exporter. They apply only to traces, so that a program's metrics and logs still go to the same place as before. */
const exporterSettings = ({ origin, key }: Target) => `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${origin}/v1/traces
export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_TRACES_HEADERS=Authorization=Bearer%20${key}`;

/** The code with which a program gets a rendered prompt from the client. */
const loadPrompt = ({
  name,
  label,
  variables,
}: ExamplePrompt) => `const prompts = await new PromptHarbor().prompts.load(${optionOf(label)});
const prompt = prompts.get(${quote(name)});
const rendered = await prompt.render(${scriptLiteral(variables)});`;

const openaiProgram = (prompt: ExamplePrompt) => `import { PromptHarbor } from '@promptharbor/client';
import { toOpenAI } from '@promptharbor/client/openai';
import OpenAI from 'openai';

const openai = new OpenAI();
${loadPrompt(prompt)}
const completion = await prompt.observe(() =>
  openai.chat.completions.create({ model: 'gpt-5-mini', ...toOpenAI(rendered) }),
);`;

const pythonProgram = (prompt: ExamplePrompt) => `from openai import OpenAI
from promptharbor import PromptHarbor, to_openai

openai = OpenAI()
prompts = PromptHarbor().prompts.load(${pythonLabel(prompt)})
prompt = prompts.get(${pythonLiteral(prompt.name)})
rendered = prompt.render(${pythonLiteral(prompt.variables)})
request = {"model": "gpt-5-mini", **to_openai(rendered)}
completion = prompt.observe(lambda: openai.chat.completions.create(**request))`;

const clientNote =
  'The client measures each call and reports it in the background. It never delays a call or makes one fail. The client is not on npm yet. Its guide explains how to install it.';

const langfuseNote =
  'Programs that already use Langfuse’s SDK need only these environment variables. Set all of them, because an SDK that does not find the address sends the key to Langfuse’s cloud. If LANGFUSE_TRACING_ENABLED=false is set, remove it.';

/** Explains how applications report their model calls, with one setup for each common library. */
export const resultSetups: readonly ResultSetup[] = [
  {
    id: 'openai',
    name: 'OpenAI SDK',
    note: clientNote,
    blocks: (target) => [
      { title: 'Environment', code: clientSettings(target) },
      {
        title: 'Your program',
        code: openaiProgram(target.prompt),
      },
    ],
  },
  {
    id: 'openai-python',
    name: 'OpenAI SDK (Python)',
    note: clientNote.replace('npm', 'PyPI'),
    blocks: (target) => [
      { title: 'Environment', code: clientSettings(target) },
      { title: 'Your program', code: pythonProgram(target.prompt) },
    ],
  },
  {
    id: 'ai-sdk',
    name: 'AI SDK',
    note: `${clientNote} Streams from streamText are also measured.`,
    blocks: (target) => [
      { title: 'Environment', code: clientSettings(target) },
      {
        title: 'Your program',
        code: `import { openai } from '@ai-sdk/openai';
import { PromptHarbor } from '@promptharbor/client';
import { toAISDK } from '@promptharbor/client/ai-sdk';
import { generateText } from 'ai';

${loadPrompt(target.prompt)}
const { modelId = 'gpt-5-mini', ...settings } = toAISDK(rendered);
const result = await prompt.observe(() => generateText({ model: openai(modelId), ...settings }));`,
      },
    ],
  },
  {
    id: 'langchain',
    name: 'LangChain',
    note: clientNote,
    blocks: (target) => [
      { title: 'Environment', code: clientSettings(target) },
      {
        title: 'Your program',
        code: `import { ChatOpenAI } from '@langchain/openai';
import { PromptHarbor } from '@promptharbor/client';
import { toLangChain } from '@promptharbor/client/langchain';

${loadPrompt(target.prompt)}
const { messages, settings } = toLangChain(rendered);
const model = new ChatOpenAI({ model: 'gpt-5-mini', ...settings });
const message = await prompt.observe(() => model.invoke(messages));`,
      },
    ],
  },
  {
    id: 'langfuse-js',
    name: 'Langfuse (JavaScript)',
    note: langfuseNote,
    blocks: (target) => [
      { title: 'Environment', code: langfuseSettings(target) },
      {
        title: 'Your program, as before',
        code: `import { LangfuseClient } from '@langfuse/client';
import { observeOpenAI } from '@langfuse/openai';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import OpenAI from 'openai';

const provider = new NodeTracerProvider({
  spanProcessors: [new LangfuseSpanProcessor()],
});
provider.register();

const prompt = await new LangfuseClient().prompt.get(${quote(target.prompt.name)}${langfuseOptions(target.prompt)});
const openai = observeOpenAI(new OpenAI(), { langfusePrompt: prompt });
const completion = await openai.chat.completions.create({
  model: 'gpt-5-mini',
  messages: ${compiledMessages(target.prompt)},
});
await provider.shutdown(); // sends the remaining spans before the program ends`,
      },
    ],
  },
  {
    id: 'langfuse-python',
    name: 'Langfuse (Python)',
    note: langfuseNote,
    blocks: (target) => [
      { title: 'Environment', code: langfuseSettings(target) },
      {
        title: 'Your program, as before',
        code: `from langfuse import get_client
from langfuse.openai import openai

prompt = get_client().get_prompt(${pythonLiteral(target.prompt.name)}${pythonOptions(target.prompt)})
variables = ${pythonLiteral(target.prompt.variables)}
completion = openai.chat.completions.create(
    model="gpt-5-mini",
    messages=${target.prompt.type === 'chat' ? 'prompt.compile(**variables)' : '[{"role": "user", "content": prompt.compile(**variables)}]'},
    langfuse_prompt=prompt,
)`,
      },
    ],
  },
  {
    id: 'opentelemetry',
    name: 'OpenTelemetry',
    note: 'The service counts spans that name a prompt and drops all others. This works in every language that has an OpenTelemetry exporter.',
    blocks: (target) => [
      { title: 'Environment', code: exporterSettings(target) },
      {
        title: 'Your program, here in JavaScript',
        code: `import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import OpenAI from 'openai';

// A program that already has a tracer needs only the attributes below.
const provider = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();

const openai = new OpenAI();
await trace.getTracer('example').startActiveSpan('chat', async (span) => {
  const completion = await openai.chat.completions.create({
    model: 'gpt-5-mini',
    messages: [{ role: 'user', content: 'The rendered prompt' }],
  });
  span.setAttributes({
    'gen_ai.prompt.name': ${quote(target.prompt.name)},
    'gen_ai.prompt.version': '${target.prompt.version}',
    'gen_ai.response.model': completion.model,
    'gen_ai.usage.input_tokens': completion.usage?.prompt_tokens,
    'gen_ai.usage.output_tokens': completion.usage?.completion_tokens,
  });
  span.end();
});
await provider.shutdown(); // sends the remaining spans before the program ends`,
      },
    ],
  },
  {
    id: 'http',
    name: 'HTTP',
    note: 'Any program can report its calls with one request, up to 1,000 calls at a time.',
    blocks: ({ origin, key, prompt }) => [
      {
        title: 'Request',
        code: `curl ${origin}/api/results \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d ${shellQuote(JSON.stringify({ calls: [{ prompt: prompt.name, version: prompt.version, model: 'gpt-5-mini', durationMs: 812, inputTokens: 410, outputTokens: 36 }] }))}`,
      },
    ],
  },
];

/** Returns the option that selects a label. The default label `production` needs no option. */
function optionOf(label: string): string {
  return label === productionLabel ? '' : `{ label: ${quote(label)} }`;
}

function langfuseOptions({ type, label }: ExamplePrompt): string {
  const options = [...(type === 'chat' ? ["type: 'chat'"] : []), ...(label === productionLabel ? [] : [`label: ${quote(label)}`])];
  return options.length === 0 ? '' : `, { ${options.join(', ')} }`;
}

function pythonOptions(prompt: ExamplePrompt): string {
  const options = [...(prompt.type === 'chat' ? ['type="chat"'] : []), ...(pythonLabel(prompt) === '' ? [] : [pythonLabel(prompt)])];
  return options.map((option) => `, ${option}`).join('');
}

function pythonLabel({ label }: ExamplePrompt): string {
  return label === productionLabel ? '' : `label=${pythonLiteral(label)}`;
}

function compiledMessages({ type, variables }: ExamplePrompt): string {
  const compiled = `prompt.compile(${scriptLiteral(variables)})`;
  return type === 'chat' ? compiled : `[{ role: 'user', content: ${compiled} }]`;
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The shortest example program. It is shown for a prompt without results. */
export const observeExample = openaiProgram;
