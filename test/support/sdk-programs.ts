import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = new URL('../../', import.meta.url);
const run = promisify(execFile);

/** The packages that programs of the guides and of Settings › Connect import. */
const linkedPackages = [
  ...['ai', 'openai', '@ai-sdk/openai-compatible', '@ai-sdk/otel', '@langchain/core', '@langchain/openai'],
  ...['@langfuse/client', '@langfuse/otel', '@langfuse/tracing'],
  ...['@openfeature/core', '@openfeature/ofrep-core', '@openfeature/ofrep-provider', '@openfeature/server-sdk'],
  ...['@opentelemetry/api', '@opentelemetry/exporter-trace-otlp-proto', '@opentelemetry/sdk-trace-node'],
  ...['@opentelemetry/exporter-logs-otlp-proto', '@opentelemetry/sdk-logs'],
];

const reexport = (file: string) => `export * from ${JSON.stringify(new URL(`client/src/${file}.ts`, root))};\n`;

/** The packages that are written for these tests, with the parts that the programs use. The client is the one in this repository. */
const writtenPackages: Record<string, Record<string, string>> = {
  '@promptharbor/client': Object.fromEntries(
    ['index', 'openai', 'ai-sdk', 'langchain', 'liquid', 'testing'].map((file) => [`${file}.js`, reexport(file)]),
  ),
  '@ai-sdk/openai': {
    'index.js': `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
export const openai = createOpenAICompatible({ name: 'openai', baseURL: process.env.OPENAI_BASE_URL, apiKey: 'none' });
`,
  },
  '@langfuse/openai': {
    'index.js': `import { startObservation } from '@langfuse/tracing';
export function observeOpenAI(openai, { langfusePrompt }) {
  const create = async (body) => {
    const generation = startObservation('OpenAI-generation', { model: body.model, input: body.messages, prompt: langfusePrompt }, { asType: 'generation' });
    const completion = await openai.chat.completions.create(body);
    const { prompt_tokens: input, completion_tokens: output } = completion.usage;
    generation.update({ output: completion.choices[0].message, usageDetails: { input, output } }).end();
    return completion;
  };
  return { chat: { completions: { create } } };
}
`,
  },
};

export interface ProgramFolder {
  /** Runs a program to its end, and returns what it printed. Throws if the program fails. */
  run(code: string, env: Record<string, string>): Promise<{ stdout: string; stderr: string }>;
  remove(): void;
}

/** Creates a folder in which a program finds the SDKs and the client, as in an application that has installed them. */
export function createProgramFolder(): ProgramFolder {
  const folder = mkdtempSync(join(tmpdir(), 'promptharbor-programs-'));
  const packages = join(folder, 'node_modules');
  for (const name of linkedPackages) {
    mkdirSync(dirname(join(packages, name)), { recursive: true });
    symlinkSync(fileURLToPath(new URL(`node_modules/${name}`, root)), join(packages, name), 'junction');
  }
  for (const [name, files] of Object.entries(writtenPackages)) {
    mkdirSync(join(packages, name), { recursive: true });
    for (const [file, code] of Object.entries(files)) writeFileSync(join(packages, name, file), code);
    const exports = { '.': './index.js', './*': './*.js' };
    writeFileSync(join(packages, name, 'package.json'), JSON.stringify({ name, type: 'module', exports }));
  }
  let programs = 0;
  return {
    async run(code, env) {
      programs += 1;
      const file = join(folder, `program-${programs}.mts`);
      writeFileSync(file, code);
      return run(process.execPath, [file], { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
