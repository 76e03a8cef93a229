/** Malicious templates. Each template must result in 400 or 422, or in output that reveals nothing. */
export interface HostileTemplate {
  template: string;
  variables?: Record<string, unknown>;
  /** The complete output of a renderable template. */
  harmless?: string | RegExp;
  /** Whether the template runs until it is stopped. */
  endless?: boolean;
}

const times = (count: number, text: string) => text.repeat(count);
const loop = (body: string) => `{% for i in (1..100000) %}${body}{% endfor %}`;

const nest = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
const manyKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

export const hostileTemplates: Record<string, HostileTemplate> = {
  // Running forever
  'nested loops': { template: loop(loop(loop('x'))), endless: true },
  'nested loops without output': { template: loop(loop(loop(''))), endless: true },
  'a loop to a billion': { template: '{% for i in (1..1000000000) %}x{% endfor %}' },
  'a loop to infinity': { template: '{% for i in (1..n) %}x{% endfor %}', variables: { n: 1e308 } },
  'a loop from text': { template: "{% for i in (1..'9999999999') %}x{% endfor %}" },
  'a tablerow of millions': { template: '{% tablerow i in (1..10000000) cols: 1 %}x{% endtablerow %}' },
  'a huge limit': { template: '{% for i in (1..3) limit: 99999999999 %}{{ i }}{% endfor %}', harmless: '123' },
  // Growing without end
  'text that doubles': { template: `{% assign a = 'xxxxxxxxxx' %}${times(60, '{% assign a = a | append: a %}')}{{ a | size }}` },
  'text that doubles in a loop': { template: `{% assign a = 'x' %}${loop('{% assign a = a | append: a %}')}` },
  'captures that double': {
    template: `{% capture a %}xxxxxxxx{% endcapture %}${times(60, '{% capture a %}{{ a }}{{ a }}{% endcapture %}')}{{ a | size }}`,
  },
  'captures that double and are compared': {
    template: `{% capture a %}${'x'.repeat(64)}{% endcapture %}${times(25, '{% capture a %}{{ a }}{{ a }}{% endcapture %}')}{% capture b %}{{ a }}y{% endcapture %}{% capture c %}{{ a }}z{% endcapture %}{% if b == c %}same{% endif %}`,
  },
  'objects that become JSON over and over': {
    template: loop('{{ x }}'),
    variables: { x: Array(2000).fill({ a: 'y'.repeat(100) }) },
  },
  'a cycle of JSON': { template: loop('{% cycle x, x %}'), variables: { x: [{ a: 'y'.repeat(10_000) }] } },
  'many comparisons of long texts': {
    template: loop('{% if x == y %}{% endif %}{% if x contains y %}{% endif %}{% case x %}{% when y %}{% endcase %}'),
    variables: { x: `${'a'.repeat(200_000)}b`, y: `${'a'.repeat(200_000)}c` },
  },
  'comparisons of long lists': {
    template: loop('{% if x == y %}{% endif %}'),
    variables: { x: Array(50_000).fill(1), y: Array(50_000).fill(1) },
  },
  'a search for a long text in a longer one': {
    template: loop("{{ x | replace: y, '' | size }}{{ x | split: y | size }}"),
    variables: { x: 'a'.repeat(300_000), y: `b${'a'.repeat(100_000)}` },
  },
  'lists that double': { template: `{% assign a = 'a,b' | split: ',' %}${times(60, '{% assign a = a | concat: a %}')}{{ a | size }}` },
  'replace that multiplies': {
    template: `{% assign a = 'xxxxxxxxxx' %}${times(30, "{% assign a = a | replace: 'x', 'xxxxxxxxxx' %}")}{{ a | size }}`,
  },
  'giant output': { template: loop('{{ x }}'), variables: { x: 'y'.repeat(10_000) } },
  'giant output at once': { template: times(200, '{{ x }}'), variables: { x: 'y'.repeat(100_000) } },
  'a date with a giant width': { template: "{{ 'now' | date: '%9999999999d' }}" },
  'a date of giant widths': { template: `{{ 'now' | date: '${times(2000, '%999999d')}' }}` },
  'padding by split and join': { template: "{{ x | split: '' | join: x | size }}", variables: { x: 'y'.repeat(20_000) } },
  'a date of many names': { template: "{{ 'now' | date: f }}", variables: { f: '%A%B'.repeat(20_000) } },
  'dates in a loop': { template: "{% for i in x %}{{ 'now' | date: '%A %B %d %Y' }}{% endfor %}", variables: { x: Array(1900).fill(1) } },
  'JSON with wide indents': { template: '{{ x | json: 10 }}', variables: { x: nest(400) } },
  'JSON with wide indents, wide and deep': { template: '{{ x | json: 10 }}', variables: { x: Array(200).fill(nest(100)) } },
  // Counting and copying
  'the size of an object over and over': { template: times(140, '{{ x.size }}'), variables: { x: manyKeys(1900) } },
  'the size of an object in a loop': { template: loop('{{ x.size }}'), variables: { x: manyKeys(50_000) } },
  'loops over an object that end at once': {
    template: times(70, '{% for i in x %}{% break %}{% endfor %}'),
    variables: { x: manyKeys(1900) },
  },
  'loops over an object in a loop': { template: loop('{% for i in x limit: 1 %}{% endfor %}'), variables: { x: manyKeys(50_000) } },
  'tables of an object in a loop': {
    template: loop('{% tablerow i in x limit: 1 %}{% endtablerow %}'),
    variables: { x: manyKeys(50_000) },
  },
  'a long path for each item': {
    template: `${times(20, '{{ x | map: p | size }}{{ x | where: p, 1 | size }}{{ x | sum: p }}{{ x | sort: p | size }}')}`,
    variables: { x: Array(20_000).fill({}), p: 'a.'.repeat(10_000) },
  },
  'an expression for each item': {
    template: times(20, "{{ x | where_exp: 'i', e | size }}{{ x | group_by_exp: 'i', e | size }}"),
    variables: { x: Array(20_000).fill(1), e: `i ${'and i '.repeat(2000)}` },
  },
  // Slow searching
  'searches from the end': {
    template: times(50, "{{ x | replace_last: y, '' | size }}"),
    variables: { x: 'a'.repeat(300_000), y: `${'a'.repeat(100_000)}b` },
  },
  'a regular expression that is none': {
    template: "{{ x | replace: '(a+)+$', '' | size }}",
    variables: { x: `${'a'.repeat(100_000)}!` },
    harmless: '100001',
  },
  'stripping much markup': { template: '{{ x | strip_html | size }}', variables: { x: '<'.repeat(200_000) } },
  'stripping comments that never close': { template: '{{ x | strip_html | size }}', variables: { x: '<!--<script '.repeat(15_000) } },
  'squeezing blanks': {
    template: '{{ x | strip | size }}',
    variables: { x: `${' '.repeat(300_000)}x${' '.repeat(300_000)}` },
    harmless: '1',
  },
  'squeezing lines': { template: '{{ x | strip_newlines | normalize_whitespace | size }}', variables: { x: ' \n'.repeat(200_000) } },
  'counting words': { template: '{{ x | number_of_words }}', variables: { x: 'a '.repeat(200_000) }, harmless: '200000' },
  'sorting much': { template: '{{ x | split: "," | sort | uniq | size }}', variables: { x: 'b,a,'.repeat(100_000) } },
  'unescaping much': { template: '{{ x | url_decode | escape_once | size }}', variables: { x: '%26'.repeat(100_000) } },
  // Reaching out
  'the prototype': {
    template: '[{{ x.__proto__ }}{{ x.constructor }}{{ x.toString }}{{ x.hasOwnProperty }}]',
    variables: { x: {} },
    harmless: '[]',
  },
  'a constructor of text': { template: "[{{ 'x'.constructor.constructor }}{{ 'x'['constructor'] }}{{ 1.toFixed }}]" },
  'constructors by filters': {
    template: "[{{ x | map: 'constructor' }}{{ x | where: '__proto__' | size }}{{ x | sum: 'constructor' }}]",
    variables: { x: [{}] },
    harmless: /^\[0?(0|NaN)?0?\]$/,
  },
  globals: {
    template: '[{% if true %}{{ process }}{{ globalThis }}{{ require }}{{ this }}{{ global.process.env }}{% endif %}]',
    harmless: '[]',
  },
  'setting a prototype': {
    template: '{% assign __proto__ = x %}{% assign constructor = x %}[{% if true %}{{ polluted }}{{ y.polluted }}{% endif %}]',
    variables: { x: { polluted: 1 }, y: {} },
    harmless: '[]',
  },
  'a file by render': { template: "{% render '../../etc/passwd' %}" },
  'a file by include': { template: "{% include '/etc/passwd' %}" },
  'a file by layout': { template: "{% layout '/etc/passwd' %}{% block a %}{% endblock %}" },
  'an address by render': { template: "{% render 'http://127.0.0.1/' %}" },
  // Too much to parse
  'conditions nested deep': { template: `${times(10_000, '{% if x %}')}${times(10_000, '{% endif %}')}` },
  'loops nested deep': {
    template: `${times(5_000, '{% for i in x %}')}${times(5_000, '{% endfor %}')}`,
    variables: { x: [] },
  },
  'captures nested deep': { template: `${times(4_000, '{% capture a %}')}${times(4_000, '{% endcapture %}')}` },
  'brackets nested deep': { template: `{{ a${times(20_000, '[a')}${times(20_000, ']')} }}`, variables: { a: {} } },
  'a chain of filters': { template: `{{ 'x' ${times(20_000, '| upcase ')}}}` },
  'a chain of operators': { template: `{% if a ${times(20_000, 'and a ')}%}x{% endif %}` },
  'a chain of not': { template: `{% if ${times(20_000, 'not ')} a %}x{% endif %}` },
  'braces in quotes': { template: `{{ "}}" ${times(12_000, '| append: "}}" ')}}}` },
  'a long path': { template: `{{ a${times(50_000, '.b')} }}`, variables: { a: {} } },
  '37,000 tags': { template: times(37_000, '{{ 1 }}') },
  '65,000 empty tags': { template: times(65_000, '{{}}') },
  '25,000 variables': { template: Array.from({ length: 25_000 }, (_, index) => `{{v${index}}}`).join('') },
  'unclosed outputs': { template: times(50_000, '{{ ') },
  'unclosed tags': { template: times(50_000, '{% ') },
  'unclosed texts': { template: `{{ ${times(50_000, '"')}` },
  'unclosed raw': { template: times(20_000, '{% raw %}') },
  'unclosed comments': { template: times(10_000, '{% comment %}') },
  'unclosed everything': { template: "{% if a %}{% for b in c %}{% capture d %}{{ e | f: '" },
  'ends of nothing': { template: times(10_000, '{% endif %}') },
  'half a tag': { template: '{%' },
  'a tag without a name': { template: '{% %}' },
  'liquid inside liquid': { template: `{% liquid\n${times(5_000, 'liquid ')}\n%}` },
};
