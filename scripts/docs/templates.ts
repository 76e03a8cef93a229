import { type Html, html } from './html.ts';
import { renderSample } from './operation.ts';

const rows: [string, string][] = [
  ['{{ customer }}, {{ order.items[0].name }}', 'a variable, or part of one'],
  ['{{ name | default: "you" }}', 'an optional variable'],
  ['{% if vip %}…{% else %}…{% endif %}', 'a condition'],
  ['{% for item in items %}- {{ item }}{% endfor %}', 'a list'],
  ["{% render 'shared/tone' %}", 'an include: the text of another prompt at the label production'],
  ["{% render 'shared/tone', label: 'staging', mood: 'calm' %}", 'the same at another label, with a variable set'],
  ["{% render 'shared/tone', label: '@3' %}", 'the same at version 3, regardless of labels'],
  ['{% raw %}{{ verbatim }}{% endraw %}', 'literal text that looks like a tag'],
];

/** Renders the section about writing templates. The dashboard links to its parts. */
export function renderTemplates(): Html {
  return html`<section class="intro" id="templates">
<div class="words"><h2>Templates</h2>
<p>Prompts are written in Liquid. JSON braces need no escaping, because only <code>{{</code> and <code>{%</code> start a tag.</p>
<table class="codes"><thead><tr><th>Write</th><th>For</th></tr></thead><tbody>${rows.map(
    ([code, meaning]) => html`<tr><td><code>${code}</code></td><td>${meaning}</td></tr>`,
  )}</tbody></table>
<h3 id="includes">Includes</h3>
<p>Text that several prompts share, such as a tone of voice, can be a separate text prompt. Other prompts include it with
<code>{% render 'shared/tone' %}</code>. It is looked up each time a prompt is rendered, so deploying a new version of it takes effect everywhere
immediately. Its variables become variables of the prompts that include it.</p>
<h3 id="placeholders">Placeholders</h3>
<p>A placeholder is an entry of a chat prompt that the caller’s messages replace, such as the conversation so far. It has the name of a
variable. When the prompt is rendered, the caller passes a list of messages in that variable.</p></div>
<div class="samples">${renderSample(
    'A chat prompt with a placeholder',
    `{"messages": [\n  {"role": "system", "content": "You help {{ customer }}."},\n  {"placeholder": "history"}\n]}`,
  )}${renderSample('Rendered with', `{"variables": {\n  "customer": "Ada",\n  "history": [{"role": "user", "content": "Where is my order?"}]\n}}`)}</div>
</section>`;
}
