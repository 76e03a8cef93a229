import { type ModelPreset, modelPresets } from '../../../src/contract/model-presets.ts';

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Returns the presets to offer. If the service runs on this machine, local servers come first. */
export function offeredPresets(hostname = location.hostname): ModelPreset[] {
  const own = modelPresets.filter(isOwnServer);
  const hosted = modelPresets.filter((preset) => !isOwnServer(preset));
  return localHosts.includes(hostname) ? [...own, ...hosted] : [...hosted, ...own];
}

export function findPreset(baseUrl: string): ModelPreset | undefined {
  return modelPresets.find((preset) => preset.baseUrl === baseUrl.trim().replace(/\/+$/, ''));
}

/** Returns whether the preset is for a server that users run themselves, on the same machine as the service or near it. */
export function isOwnServer({ baseUrl }: ModelPreset): boolean {
  return baseUrl.startsWith('http://localhost');
}

/** Instructions for what to do before the first run, by preset id. */
export const presetHints: Record<string, string> = {
  ollama: 'Start it with “ollama serve” and get a model with “ollama pull llama3.2”. It needs no key.',
  vllm: 'Start it with “vllm serve” and the name of a model. It needs a key only if it was started with --api-key.',
  lmstudio: 'Load a model and start the server in its Developer tab. It needs no key.',
  litellm: 'The key is the master key of the proxy, or a virtual key.',
};
