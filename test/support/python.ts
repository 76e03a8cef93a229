import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../clients/python', import.meta.url));
const isNewEnough = 'import sys; sys.exit(sys.version_info < (3, 10))';

/** Returns the command of a Python that is new enough, or undefined. The variable `PYTHON` can name the command. */
export function findPython(): string | undefined {
  const commands =
    process.env.PYTHON === undefined ? ['python3', 'python', 'python3.13', 'python3.12', 'python3.11', 'python3.10'] : [process.env.PYTHON];
  return commands.find((command) => spawnSync(command, ['-c', isNewEnough]).status === 0);
}

export const noPython = 'There is no Python 3.10 or newer. Set PYTHON to the command of one to run the tests of the Python client.';

/** Defines the part of OpenAI's Python package that the printed programs use, because the package is not installed here. */
export const openaiForPython = `
import json, os, sys, types, urllib.request

def create(**body):
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response, object_hook=lambda fields: types.SimpleNamespace(**fields))

sys.modules["openai"] = types.ModuleType("openai")
sys.modules["openai"].OpenAI = lambda: types.SimpleNamespace(chat=types.SimpleNamespace(completions=types.SimpleNamespace(create=create)))
`;

interface RunOptions {
  env?: Record<string, string>;
  input?: unknown;
  cwd?: string;
}

export interface PythonResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs Python with the client on its path, while the service in this process continues to respond. */
export function runPython(command: string, args: string[], { env, input, cwd = folder }: RunOptions = {}): Promise<PythonResult> {
  const { PROMPTHARBOR_API_KEY: _key, PROMPTHARBOR_URL: _url, PROMPTHARBOR_WORKSPACE: _workspace, ...inherited } = process.env;
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, PYTHONPATH: `${folder}/src`, PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
  const result: PythonResult = { status: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (result.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (result.stderr += text));
  child.stdin.end(input === undefined ? '' : JSON.stringify(input));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ ...result, status }));
  });
}

/** Runs a program of clients/python/tests/programs.py, and returns its result. */
export async function askPython(command: string, program: string, input: unknown): Promise<unknown> {
  const { status, stdout, stderr } = await runPython(command, ['-m', 'tests.programs', program], { input });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
