import { curlOf, isForBrowsers, renderCommand } from './curl.ts';
import { jsonSchemaOf, type OpenApiDocument, type OpenApiResponse, type Operation, takes } from './document.ts';
import { exampleOf, renderJson } from './example.ts';
import { renderFields, renderShape } from './fields.ts';
import { type Html, html } from './html.ts';
import { renderInline, renderText } from './text.ts';

/** Renders one operation, with its parameters, body and responses on the left and an example of each on the right. */
export function renderOperation(document: OpenApiDocument, operation: Operation, origin: string): Html {
  const { anchor, method, path, summary, description } = operation;
  const responses = Object.entries(operation.responses ?? {});
  const successes = responses.filter(([status]) => status < '400');
  const errors = responses.filter(([status]) => status >= '400');
  const body = jsonSchemaOf(operation.requestBody);

  return html`<article class="operation" id="${anchor}" aria-labelledby="${anchor}-title">
<div class="words">
<h3 id="${anchor}-title"><a href="#${anchor}">${renderInline(summary ?? path)}</a></h3>
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${renderPath(path)}</code></p>
${renderText(description)}
${takes(operation, 'key') && html`<p class="auth">Requires the <a href="#authentication">API key</a>.</p>`}
${renderSessionNote(operation)}
${renderParameters(document, operation, 'path', 'Path')}
${renderParameters(document, operation, 'query', 'Query')}
${renderParameters(document, operation, 'header', 'Header')}
${body && html`<h4>Body</h4>${renderShape(document, body)}`}
${successes.map(([, response]) => renderResponseFields(document, response))}
${errors.length > 0 && html`<h4>Errors</h4><ul class="errors">${errors.map(([status, response]) => renderErrorLink(status, response))}</ul>`}
</div>
<div class="samples">
${renderSample('Request', renderCommand(curlOf(document, operation, origin)))}
${successes.map(([status, response]) => renderResponseSample(document, status, response))}
</div>
</article>`;
}

function renderSessionNote(operation: Operation): Html | undefined {
  if (!isForBrowsers(operation)) return undefined;
  const origin = operation.method === 'GET' ? undefined : html` Requires the <code>Origin</code> header of the service.`;
  const session = takes(operation, 'session') ? html`Requires a <a href="#authentication">browser session</a>.` : html`For browsers.`;
  return html`<p class="auth">${session}${origin}</p>`;
}

export function renderSample(title: string | Html, code: string | Html): Html {
  return html`<figure class="sample"><figcaption>${title}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

function renderParameters(document: OpenApiDocument, operation: Operation, place: string, title: string): Html | undefined {
  const fields = operation.parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema = {}, required = false, description }) => ({ name, schema, required, description }));
  return fields.length > 0 ? html`<h4>${title}</h4>${renderFields(document, fields)}` : undefined;
}

function renderResponseFields(document: OpenApiDocument, response: OpenApiResponse): Html | undefined {
  const schema = jsonSchemaOf(response);
  const shape = schema && renderShape(document, schema);
  return shape && html`<div class="response"><h4>Response</h4>${shape}</div>`;
}

function renderResponseSample(document: OpenApiDocument, status: string, response: OpenApiResponse): Html {
  const schema = jsonSchemaOf(response);
  const title = html`Response <span class="status">${status} ${response.description}</span>`;
  if (!schema) return html`<p class="sample empty">${title}<span>No body</span></p>`;
  if (Object.keys(schema).length === 0) return html`<p class="sample empty">${title}<span>JSON</span></p>`;
  return renderSample(title, renderJson(exampleOf(document, schema)));
}

function renderErrorLink(status: string, { description }: OpenApiResponse): Html {
  return html`<li><a href="#errors"><b>${status}</b> ${description}</a></li>`;
}

/** Lets a long path wrap after its slashes, and highlights its parameters. */
function renderPath(path: string): Html {
  const parts = path.split(/(\/|\{\w+\})/);
  return html`${parts.map((part) => {
    if (part === '/') return html`/<wbr>`;
    return part.startsWith('{') ? html`<var>${part}</var>` : part;
  })}`;
}
