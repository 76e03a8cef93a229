import type { ModelKind } from './model-kinds.ts';

// This file is separate from models.ts, so that the dashboard can import it without TypeBox.

export interface ModelPreset {
  id: string;
  name: string;
  kind: ModelKind;
  /** The URL below which the server has the paths of its protocol, such as `/chat/completions` and `/models`. */
  baseUrl: string;
  /** The page where users get a key. Null for self-hosted servers, which usually need none. */
  keyUrl: string | null;
}

/** Presets for new connections to well-known servers. Users can change every field. */
export const modelPresets: readonly ModelPreset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    kind: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyUrl: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    kind: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyUrl: 'https://console.anthropic.com/settings/keys',
  },
  {
    id: 'gemini',
    name: 'Google Gemini',
    kind: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyUrl: 'https://aistudio.google.com/apikey',
  },
  {
    id: 'mistral',
    name: 'Mistral',
    kind: 'openai',
    baseUrl: 'https://api.mistral.ai/v1',
    keyUrl: 'https://console.mistral.ai/api-keys',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    kind: 'openai',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyUrl: 'https://openrouter.ai/settings/keys',
  },
  { id: 'groq', name: 'Groq', kind: 'openai', baseUrl: 'https://api.groq.com/openai/v1', keyUrl: 'https://console.groq.com/keys' },
  { id: 'ollama', name: 'Ollama', kind: 'openai', baseUrl: 'http://localhost:11434/v1', keyUrl: null },
  { id: 'vllm', name: 'vLLM', kind: 'openai', baseUrl: 'http://localhost:8000/v1', keyUrl: null },
  { id: 'lmstudio', name: 'LM Studio', kind: 'openai', baseUrl: 'http://localhost:1234/v1', keyUrl: null },
  { id: 'litellm', name: 'LiteLLM', kind: 'openai', baseUrl: 'http://localhost:4000/v1', keyUrl: null },
];
