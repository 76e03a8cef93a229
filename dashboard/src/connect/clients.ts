/** The data that a client needs to reach the service. */
interface Connection {
  url: string;
  headers: Record<string, string>;
}

interface McpClient {
  id: string;
  name: string;
  /** The file or command that the code belongs in. */
  place: string;
  format(connection: Connection): string;
}

const server = 'promptharbor';

/** Common assistants and tools, each with instructions for adding this service as an MCP server. */
export const mcpClients: readonly McpClient[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    place: 'Run this in a terminal. Prompts appear as slash commands that begin with /mcp__promptharbor.',
    format: ({ url, headers }) => `claude mcp add --transport http ${server} ${url}${formatFlags(headers, '--header')}`,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    place: 'Add this to ~/.cursor/mcp.json, or to .cursor/mcp.json in a project.',
    format: ({ url, headers }) => toJson({ mcpServers: { [server]: { url, headers } } }),
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    place: 'Add this to .vscode/mcp.json in a project, or run “MCP: Open User Configuration”.',
    format: ({ url, headers }) => toJson({ servers: { [server]: { type: 'http', url, headers } } }),
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    place: 'Add this to ~/.codeium/windsurf/mcp_config.json.',
    format: ({ url, headers }) => toJson({ mcpServers: { [server]: { serverUrl: url, headers } } }),
  },
  {
    id: 'codex',
    name: 'Codex',
    place: 'Add this to ~/.codex/config.toml.',
    format: ({ url, headers }) => {
      const pairs = Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`);
      return `[mcp_servers.${server}]\nurl = ${JSON.stringify(url)}\nhttp_headers = { ${pairs.join(', ')} }`;
    },
  },
  {
    id: 'inspector',
    name: 'Inspector',
    place: 'Run this in a terminal to list the prompts as a client sees them.',
    format: ({ url, headers }) =>
      `npx @modelcontextprotocol/inspector --cli ${url} \\\n  --transport http${formatFlags(headers, '--header')} \\\n  --method prompts/list`,
  },
];

function formatFlags(headers: Record<string, string>, flag: string): string {
  return Object.entries(headers)
    .map(([name, value]) => ` \\\n  ${flag} "${name}: ${value}"`)
    .join('');
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
