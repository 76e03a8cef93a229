/** A version of a demo prompt. The first version creates the prompt. */
interface DemoVersion {
  template?: string;
  messages?: ({ role: string; content: string } | { placeholder: string })[];
  config?: Record<string, unknown>;
  tools?: { name: string; description: string; parameters: Record<string, unknown> }[];
  message: string;
}

export interface DemoPrompt {
  name: string;
  description: string;
  tags: string[];
  versions: DemoVersion[];
  /** The final version of each label. */
  labels: Record<string, number>;
  /** Variables for the demo's render calls. */
  variables: Record<string, unknown>;
}

const model = { model: 'large-model', temperature: 0.3 };
const small = { model: 'small-model', temperature: 0 };

/** A dozen prompts of a company that sells coffee machines. Prompts that other prompts include come first. */
export const demoPrompts: DemoPrompt[] = [
  {
    name: 'shared/tone',
    description: 'Our tone of voice. Included by every prompt for customers.',
    tags: ['shared', 'brand'],
    versions: [
      { template: 'Write in a friendly, plain tone. Avoid jargon.', message: 'First draft' },
      {
        template: 'Write in a {{ mood | default: "friendly" }}, plain tone. Avoid jargon and exclamation marks.',
        message: 'Let the caller choose the mood',
      },
    ],
    labels: { production: 2, staging: 2 },
    variables: {},
  },
  {
    name: 'shared/json-only',
    description: 'Makes a model respond with JSON only. Included by other prompts.',
    tags: ['shared'],
    versions: [{ template: 'Answer with one JSON object and nothing else: no code fence, no explanation.', message: 'First draft' }],
    labels: { production: 1 },
    variables: {},
  },
  {
    name: 'support/triage',
    description: 'Classifies incoming requests by topic and urgency.',
    tags: ['support', 'classification'],
    versions: [
      { template: 'Classify this request as billing, delivery or repair:\n\n{{ request }}', config: small, message: 'First draft' },
      {
        template:
          'Classify this request as billing, delivery, repair or other.\n\n{% render \'shared/json-only\' %}\n{"topic": "…", "urgent": true}\n\n{{ request }}',
        config: small,
        message: 'Answer as JSON, add "other"',
      },
      {
        template:
          'Classify this request from {{ customer.name | default: "a customer" }} as {% for topic in topics %}{{ topic }}{% unless forloop.last %}, {% endunless %}{% endfor %}.\n\n' +
          '{% render \'shared/json-only\' %}\n{"topic": "…", "urgent": true, "reason": "…"}\n\n{{ request }}',
        config: { ...small, responseFormat: { type: 'json_object' } },
        message: 'Let the caller pass the topics',
      },
    ],
    labels: { production: 2, staging: 3, canary: 3 },
    variables: {
      request: 'My machine leaks and I have guests tonight.',
      topics: ['billing', 'delivery', 'repair'],
      customer: { name: 'Ada' },
    },
  },
  {
    name: 'support/reply',
    description: 'Drafts a reply for an agent to review.',
    tags: ['support', 'mail'],
    versions: [
      { template: 'Answer {{ customer }}:\n\n{{ question }}', config: model, message: 'First draft' },
      { template: "{% render 'shared/tone' %}\n\nAnswer {{ customer }}:\n\n{{ question }}", config: model, message: 'Use the shared tone' },
      {
        template:
          "{% render 'shared/tone', mood: 'calm' %}\n\nAnswer {{ customer }}{% if language %} in {{ language }}{% endif %}:\n\n{{ question }}\n\n" +
          '{% if orders %}Their last orders:\n{% for order in orders %}- {{ order.item }}, {{ order.date }}\n{% endfor %}{% endif %}',
        config: { ...model, max_tokens: 600 },
        message: 'Include their orders, answer in their language',
      },
    ],
    labels: { production: 3, staging: 3 },
    variables: {
      customer: 'Grace',
      question: 'When does my grinder arrive?',
      language: 'English',
      orders: [{ item: 'Grinder G2', date: '2 May' }],
    },
  },
  {
    name: 'support/agent',
    description: 'Answers in the help center. The conversation so far replaces the placeholder.',
    tags: ['support', 'agent'],
    versions: [
      {
        messages: [{ role: 'system', content: 'You help owners of coffee machines.' }, { placeholder: 'history' }],
        config: model,
        message: 'First draft',
      },
      {
        messages: [
          { role: 'system', content: "You help owners of coffee machines. {% render 'shared/tone' %}\nToday is {{ today }}." },
          { placeholder: 'history' },
          { role: 'user', content: '{{ question }}' },
        ],
        config: model,
        tools: [
          {
            name: 'find_order',
            description: 'Looks up an order by its number',
            parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
          },
        ],
        message: 'Look up orders',
      },
    ],
    labels: { production: 2, canary: 2 },
    variables: {
      today: 'Friday',
      question: 'And where is order 1042?',
      history: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hello! How can I help?' },
      ],
    },
  },
  {
    name: 'marketing/newsletter',
    description: 'Writes the monthly newsletter.',
    tags: ['marketing', 'mail'],
    versions: [
      { template: 'Write our newsletter for {{ month }} about {{ topic }}.', config: model, message: 'First draft' },
      {
        template:
          "{% render 'shared/tone', mood: 'cheerful' %}\n\nWrite our newsletter for {{ month }} about {{ topic }}. At most {{ words | default: 250 }} words.",
        config: { ...model, temperature: 0.8 },
        message: 'Shorter, in our tone',
      },
    ],
    labels: { production: 2 },
    variables: { month: 'June', topic: 'cold brew' },
  },
  {
    name: 'marketing/product-page',
    description: 'Describes a product for the shop.',
    tags: ['marketing', 'shop'],
    versions: [
      {
        template:
          "{% render 'shared/tone' %}\n\nDescribe {{ product.name }} for our shop.\n{% for feature in product.features %}- {{ feature }}\n{% endfor %}",
        config: model,
        message: 'First draft',
      },
    ],
    labels: { production: 1 },
    variables: { product: { name: 'Grinder G2', features: ['40 mm burrs', 'quiet'] } },
  },
  {
    name: 'marketing/subject-lines',
    description: 'Suggests subject lines for an email.',
    tags: ['marketing', 'mail'],
    versions: [
      { template: 'Give five subject lines for an email about {{ topic }}.', config: model, message: 'First draft' },
      {
        template: 'Give {{ count | default: 5 }} subject lines of at most 50 characters for an email about {{ topic }}.',
        config: model,
        message: 'Limit their length',
      },
    ],
    labels: { production: 1, staging: 2 },
    variables: { topic: 'descaling' },
  },
  {
    name: 'engineering/code-review',
    description: 'Reviews a pull request.',
    tags: ['engineering'],
    versions: [
      { template: 'Review this change:\n\n{{ diff }}', config: model, message: 'First draft' },
      {
        template:
          'Review this change in {{ language }}. List bugs first, then style.{% if guidelines %}\n\nOur guidelines:\n{{ guidelines }}{% endif %}\n\n{{ diff }}',
        config: { ...model, temperature: 0 },
        message: 'Bugs first',
      },
    ],
    labels: { production: 2 },
    variables: { language: 'TypeScript', diff: '-const a = 1\n+const a = 2' },
  },
  {
    name: 'engineering/commit-message',
    description: 'Writes a commit message in one line.',
    tags: ['engineering'],
    versions: [{ template: 'Write a conventional commit message for:\n\n{{ diff }}', config: small, message: 'First draft' }],
    labels: { production: 1 },
    variables: { diff: '-const a = 1\n+const a = 2' },
  },
  {
    name: 'engineering/incident-summary',
    description: 'Summarizes an incident for the status page.',
    tags: ['engineering', 'draft'],
    versions: [
      {
        template: "{% render 'shared/tone', mood: 'sober' %}\n\nSummarize this incident in three sentences:\n\n{{ timeline }}",
        config: model,
        message: 'First draft',
      },
    ],
    labels: { staging: 1 },
    variables: { timeline: '09:00 alarms, 09:20 rolled back' },
  },
  {
    name: 'research/interview-notes',
    description: 'Turns a transcript into findings.',
    tags: ['research'],
    versions: [
      {
        template: '{% render \'shared/json-only\' %}\n{"findings": [{"quote": "…", "insight": "…"}]}\n\n{{ transcript }}',
        config: { ...small, responseFormat: { type: 'json_object' } },
        message: 'First draft',
      },
    ],
    labels: { production: 1 },
    variables: { transcript: 'I never read the manual.' },
  },
];
