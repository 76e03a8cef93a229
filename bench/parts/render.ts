import { type Product, startBareParser, startEmbedded, startOnPostgres } from '../lib/contenders.ts';
import { addRatios, type Contender, compare, type Pace, type Row } from '../lib/rounds.ts';

const connections = 32;
const json = { 'content-type': 'application/json' };
const embedded = 'PromptHarbor, SQLite';
const onePostgres = 'PromptHarbor, PostgreSQL, 1 instance';

interface Workload {
  name: string;
  template: string;
  variables: Record<string, unknown>;
  goals: Record<string, string>;
}

const partials = { tone: 'Answer in a {{ tone | default: "friendly" }} tone.', rules: 'Never promise refunds to {{ customer }}.' };

const workloads: Workload[] = [
  {
    name: 'plain variables',
    template: 'Write to {{ customer }} about {{ topic }} in a {{ tone | default: "friendly" }} tone.',
    variables: { customer: 'Ada', topic: 'an order' },
    goals: { [embedded]: '≥ 0.60', [onePostgres]: '≥ 0.40' },
  },
  {
    name: 'a condition and a loop of three',
    template: '{% if customer %}Dear {{ customer }}{% endif %}:{% for item in items %} {{ item.name }} ({{ item.count }}){% endfor %}',
    variables: {
      customer: 'Ada',
      items: [
        { name: 'rope', count: 1 },
        { name: 'sail', count: 2 },
        { name: 'oar', count: 3 },
      ],
    },
    goals: { [embedded]: '≥ 0.45' },
  },
  {
    name: 'two included prompts',
    template: "Write to {{ customer }}. {% render 'tone' %} {% render 'rules' %}",
    variables: { customer: 'Ada' },
    goals: { [embedded]: '≥ 0.45' },
  },
  {
    name: 'an open template',
    template:
      '{% capture list %}{% for a in items %}{% for b in items %}{{ a }}{{ b }} {% endfor %}{% endfor %}{% endcapture %}{{ list | strip }}',
    variables: { items: ['a', 'b', 'c'] },
    goals: {},
  },
];

/** Compares renders with node:http parsing the same body and sending the same bytes. */
export async function run(pace: Pace): Promise<Row[]> {
  const products = [
    await startEmbedded(embedded, { accounts: 1, prompts: 1 }),
    await startOnPostgres(onePostgres, { accounts: 1, prompts: 1, instances: 1 }),
  ];
  const rows: Row[] = [];
  try {
    for (const product of products) await createPrompts(product);
    for (const workload of workloads) rows.push(...(await measure(workload, products, pace)));
  } finally {
    for (const product of products) await product.stop();
  }
  return rows;
}

async function createPrompts(product: Product): Promise<void> {
  const templates = { ...partials, ...Object.fromEntries(workloads.map(({ name, template }) => [name, template])) };
  for (const [name, template] of Object.entries(templates)) {
    const response = await fetch(`http://127.0.0.1:${product.ports[0]}/api/prompts`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${product.seeded.firstKey}` },
      body: JSON.stringify({ name, template }),
    });
    if (response.status !== 201) throw new Error(await response.text());
  }
}

async function measure({ name, variables, goals }: Workload, products: Product[], pace: Pace): Promise<Row[]> {
  const [reference] = products;
  if (!reference) throw new Error('There is no product to measure');
  const load = {
    method: 'POST',
    path: `/api/prompts/${encodeURIComponent(name)}/render`,
    body: JSON.stringify({ variables }),
    connections,
  };
  const bare = await startBareParser(reference, load.path, load.body);
  const contenders: Contender[] = [
    { name: 'bare node:http', pids: [bare.pid], ports: [bare.port], key: reference.seeded.firstKey },
    ...products.map((product) => ({ ...product, key: product.seeded.firstKey })),
  ].map(({ key, ports, pids, name: contender }) => ({
    name: contender,
    pids,
    load: { ...load, ports, headers: { ...json, authorization: `Bearer ${key}` } },
  }));
  try {
    return addRatios('bare node:http', await compare('render', name, contenders, pace), goals);
  } finally {
    await bare.stop();
  }
}
