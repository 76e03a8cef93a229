import { findPermission, workspaceHeader } from '../../src/contract/permissions.ts';
import { type Role, roles } from '../../src/contract/roles.ts';
import { documentedErrors } from '../../src/errors.ts';
import { quote, renderCommand } from './curl.ts';
import { type OpenApiDocument, type Operation, operationsByTag, slug } from './document.ts';
import { exampleOf, renderJson } from './example.ts';
import { renderShape } from './fields.ts';
import { type Html, html } from './html.ts';
import { type PageAssets, renderLayout } from './layout.ts';
import { renderOperation, renderSample } from './operation.ts';
import { renderTemplates } from './templates.ts';
import { renderInline, renderText } from './text.ts';

/** Renders the whole reference as one page. The examples send their requests to `origin`. */
export function renderPage(document: OpenApiDocument, origin: string, assets: PageAssets): string {
  const { title, version, description } = document.info;
  const groups = operationsByTag(document);
  const main = html`<section class="intro" id="introduction">
<div class="words"><h1>API reference</h1>${renderText(description)}
<p>This reference is also available as <a href="/api/openapi.json">OpenAPI 3.1</a>.</p></div>
<div class="samples">${renderSample('Base URL', origin)}</div>
</section>
${renderAuthentication(document, origin)}
${renderWorkspaces(groups, origin)}
${renderErrors(document)}
${renderTemplates()}
${[...groups].map(([tag, operations]) => renderGroup(document, tag, operations, origin))}`;
  const contents = renderContents(document, groups);
  return renderLayout({ product: { title, version }, title: `${title} API reference`, part: 'reference', contents, main }, assets);
}

function renderContents({ components }: OpenApiDocument, groups: Map<string, Operation[]>): Html {
  return html`<ul class="contents">
<li><a href="#introduction">Introduction</a></li>
${components?.securitySchemes?.key && html`<li><a href="#authentication">Authentication</a></li>`}
<li><a href="#workspaces">Workspaces and roles</a></li>
${components?.schemas?.Error && html`<li><a href="#errors">Errors</a></li>`}
<li><a href="#templates">Templates</a></li>
</ul>${[...groups].map(
    ([tag, operations]) =>
      html`<h2>${tag}</h2><ul class="contents">${operations.map(
        ({ anchor, method, summary, path }) =>
          html`<li><a href="#${anchor}"><span>${renderInline(shorten(summary ?? path))}</span><span class="method ${method.toLowerCase()}">${method}</span></a></li>`,
      )}</ul>`,
  )}`;
}

function renderAuthentication({ components }: OpenApiDocument, origin: string): Html | undefined {
  const { key, ...others } = components?.securitySchemes ?? {};
  if (!key) return undefined;
  const command = `export PROMPTHARBOR_API_KEY=ph_…\n\ncurl ${quote(`${origin}/api/prompts`)} \\\n  -H "Authorization: Bearer $PROMPTHARBOR_API_KEY"`;
  return html`<section class="intro" id="authentication">
<div class="words"><h2>Authentication</h2>${renderText(key.description)}
<p>Send it with every request as <code>Authorization: Bearer</code>. Keep it out of source code, URLs and browsers.
Reset it if it may have leaked: the old key stops working immediately.</p>
${Object.values(others).map(({ description }) => renderText(description))}</div>
<div class="samples">${renderSample('With the key', renderCommand(command))}</div>
</section>`;
}

const roleTexts: Record<Role, string> = {
  viewer: 'reads and renders prompts and sees statistics',
  editor: 'also writes prompts and versions, and moves labels that are not protected',
  deployer: 'also moves protected labels',
  admin: 'also manages members, service accounts and protected labels',
  owner: 'also manages the account itself, including its key and deletion',
};

function renderWorkspaces(groups: Map<string, Operation[]>, origin: string): Html {
  const operations = [...groups.values()].flat().map((operation) => ({ ...operation, role: findPermission(operation.operationId) }));
  const smallest = roles.filter((role) => operations.some((operation) => operation.role === role));
  return html`<section class="intro" id="workspaces">
<div class="words"><h2>Workspaces and roles</h2>
<p>Every account has a workspace with its prompts, labels and statistics, and can create more for teams. Other accounts can be members of a
workspace, each with a role. To act in a workspace, a member sends its id in <code>${workspaceHeader}</code>. Without this header, you act in your own
workspace, and a service account acts in the workspace to which it belongs. Each role includes the permissions of the roles above it:</p>
<table class="codes"><thead><tr><th>Role</th><th>Permissions</th></tr></thead><tbody>${roles.map(
    (role) => html`<tr><td><code>${role}</code></td><td>${roleTexts[role]}</td></tr>`,
  )}</tbody></table>
<p>Removing a member or changing a role takes effect before the response is sent. If you are not a member of a workspace, the response is
404. If your role is not sufficient, it is 403. The table lists the role that each operation requires. All other operations concern your
own account and ignore the header:</p>
<table class="codes"><thead><tr><th>Role</th><th>Operation</th></tr></thead><tbody>${smallest.map((role) =>
    operations
      .filter((operation) => operation.role === role)
      .map(({ method, path }) => html`<tr><td><code>${role}</code></td><td><code>${method} ${path}</code></td></tr>`),
  )}</tbody></table></div>
<div class="samples">${renderSample(
    'In another workspace',
    renderCommand(
      `curl ${quote(`${origin}/api/prompts`)} \\\n  -H "Authorization: Bearer $PROMPTHARBOR_API_KEY" \\\n  -H '${workspaceHeader}: u_mhz1k3p0_0005f0c9a7e21d4b836'`,
    ),
  )}</div>
</section>`;
}

function renderErrors(document: OpenApiDocument): Html | undefined {
  const schema = document.components?.schemas?.Error;
  if (!schema) return undefined;
  return html`<section class="intro" id="errors">
<div class="words"><h2>Errors</h2>
<p>An error has a status of 400 or higher and a JSON body. In programs, check <code>code</code>, which never changes. The text in <code>error</code> is for people.
Responses with the status 429 or 503 have a <code>Retry-After</code> header with the number of seconds to wait.</p>
<div class="response">${renderShape(document, schema)}</div>
<p>A response with the status 401 for a missing or invalid key has no <code>code</code>. All other errors have one of these codes:</p>
<table class="codes"><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${documentedErrors
    .filter(({ code }) => code !== 'unauthorized')
    .map(
      ({ status, code, text }) => html`<tr><td>${String(status)}</td><td><code>${code}</code></td><td>${text}</td></tr>`,
    )}</tbody></table></div>
<div class="samples">${renderSample('An error', renderJson(exampleOf(document, schema)))}</div>
</section>`;
}

function renderGroup(document: OpenApiDocument, tag: string, operations: Operation[], origin: string): Html {
  const anchor = `tag-${slug(tag)}`;
  return html`<section class="group" aria-labelledby="${anchor}"><h2 id="${anchor}">${tag}</h2>
${operations.map((operation) => renderOperation(document, operation, origin))}
</section>`;
}

/** Returns the part of a summary before its colon, which the table of contents shows. */
function shorten(summary: string): string {
  return summary.split(': ')[0] ?? summary;
}
