import { closed, closedTuple, MEANT_ENUMS, type MeantDifference } from './meant-enums.js';

const UNION_OF_ARTICLE = [{ type: 'number' }, { type: 'string' }, { type: 'array', items: { type: 'string' } }];

const ARTICLE = {
  id: { type: 'number' },
  title: { type: 'string' },
  body: { type: 'string' },
  tags: { type: ['array', 'null'], items: { type: 'string' } },
};

const ALL_OF_ARTICLE = ['id', 'title', 'body', 'tags'];

const NUMBERED = {
  type: 'object',
  properties: {},
  required: [],
  patternProperties: { '^-?\\d+(\\.\\d+)?$': { type: 'string' } },
  additionalProperties: false,
};

const MAIL = {
  to: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  subject: { type: 'string' },
  template: {
    anyOf: [
      closed(
        {
          id: { type: 'string' },
          variables: { type: 'object', additionalProperties: { anyOf: [{ type: 'number' }, { type: 'string' }] } },
        },
        ['id', 'variables'],
      ),
      closed({ html: { type: 'string' }, text: { type: 'string' } }, ['html']),
    ],
  },
  headers: {
    type: 'object',
    properties: {},
    required: [],
    patternProperties: { '^X-[\\s\\S]*$': { type: 'string' } },
    additionalProperties: false,
  },
};

const HOURS = { type: 'array', items: closedTuple({ type: 'string' }, { type: 'string' }) };

const ROW = { id: { type: 'string' }, createdAt: { type: 'string' } };

const CUSTOMER = { ...ROW, name: { type: 'string' }, orders: { type: 'array', items: { $ref: '#/$defs/OrderRow' } } };

const ORDER_ROW = closed(
  {
    customer: { $ref: '#/$defs/CustomerRow' },
    lines: { type: 'array', items: closed({ sku: { type: 'string' } }, ['sku']) },
    ...ROW,
  },
  ['customer', 'id', 'createdAt'],
);

/** All differences, by the names of the types. */
export const MEANT_DIFFERENCES: Readonly<Record<string, MeantDifference>> = {
  ...MEANT_ENUMS,
  NamedTuple: {
    reason: 'The names of the items of a tuple are no titles.',
    ours: closedTuple({ type: 'number' }, { type: 'number' }),
  },
  NumberIndex: { reason: 'The keys are numbers.', ours: NUMBERED },
  NumberRecord: { reason: 'It is no array: the keys may have gaps.', ours: NUMBERED },
  TemplateIndex: {
    reason: 'The keys match the template.',
    ours: { ...NUMBERED, patternProperties: { '^data-[\\s\\S]*$': { type: 'string' } } },
  },
  WithDefaults: {
    reason: 'A property with an initial value may be left out, and the schema has the value.',
    ours: closed(
      {
        count: { type: 'number', default: 5 },
        unit: { type: 'string', enum: ['c', 'f'], default: 'c' },
        label: { type: 'string' },
      },
      [],
    ),
  },
  OrderPaid: {
    reason: 'A parameter with a default value may be left out, and the schema has the value.',
    ours: closed(
      {
        orderId: { type: 'string' },
        amount: { type: 'number' },
        tags: { type: 'array', items: { type: 'string' }, default: [] },
      },
      ['orderId', 'amount'],
    ),
  },
  Vehicle: {
    reason: 'Nobody can create an instance of an abstract class.',
    ours: {
      error:
        "tools.ts: Parameter 'value' of Tools.Vehicle() is the abstract class Vehicle, which has no instances. " +
        'Declare a class that extends it, or an interface with its properties.',
    },
  },
  LongComment: {
    reason: 'A link is its text.',
    ours: {
      ...closed({ text: { type: 'string', description: 'A first line that goes on.\n\n- an item\n- another one' } }, [
        'text',
      ]),
      description: 'Says several things.\n\nIn two paragraphs, with `code` and City.',
    },
  },
  Titles: {
    reason: 'An input is written, so @readOnly says nothing.',
    ours: closed(
      {
        a: { type: 'string', title: 'The title' },
        old: { type: 'string', deprecated: true },
        fixed: { type: 'string' },
      },
      ['a'],
    ),
  },
  Integers: {
    reason: 'In a list, the numbers are whole.',
    ours: closed({ count: { type: 'integer' }, several: { type: 'array', items: { type: 'integer' } } }, ['count']),
  },
  DefaultOptions: {
    reason: 'Without `as const`, the type of a property is wider than its value.',
    ours: closed({ unit: { type: 'string', const: 'celsius' }, retries: { type: 'number' } }, ['unit', 'retries']),
  },
  Sample: {
    reason: 'Without `as const`, the type of a property is wider than its value.',
    ours: closed(
      {
        name: { type: 'string' },
        size: { type: 'number' },
        tags: { type: 'array', items: { type: 'string' } },
        nested: closed({ on: { type: 'boolean' } }, ['on']),
      },
      ['name', 'size', 'tags', 'nested'],
    ),
  },
  SampleSize: {
    reason: 'Without `as const`, the type of a property is wider than its value.',
    ours: { type: 'number' },
  },
  NoProperties: { reason: 'An interface without properties allows any object.', ours: { type: 'object' } },
  EmptyObject: {
    reason: 'An object type without properties allows any object.',
    ours: closed({ value: { type: 'object' } }, ['value']),
  },
  Hex: { reason: 'A template is a pattern.', ours: { type: 'string', pattern: '^#[\\s\\S]*$' } },
  Version: {
    reason: 'A template is a pattern.',
    ours: {
      type: 'string',
      pattern: '^v-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?\\.-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?$',
    },
  },
  Links: {
    reason: 'A template is a pattern.',
    ours: closed(
      {
        color: { type: 'string', pattern: '^#[\\s\\S]*$' },
        side: { type: 'string', enum: ['bottom-left', 'bottom-right', 'top-left', 'top-right'] },
      },
      ['color'],
    ),
  },
  Lookup: {
    reason: 'JSON writes a Map as an object.',
    ours: { type: 'object', additionalProperties: { type: 'number' } },
  },
  Unique: {
    reason: 'JSON writes a Set as an array of different items.',
    ours: { type: 'array', items: { type: 'string' }, uniqueItems: true },
  },
  FrozenUnique: {
    reason: 'JSON writes a Set as an array of different items.',
    ours: { type: 'array', items: { type: 'number' }, uniqueItems: true },
  },
  Collections: {
    reason: 'JSON writes a Map as an object, and a Set as an array of different items.',
    ours: closed(
      {
        byName: { type: 'object', additionalProperties: closed({ id: { type: 'number' } }, ['id']) },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true },
      },
      ['byName', 'tags'],
    ),
  },
  Pattern: {
    reason: 'A model that writes regular expressions could stop the process with one.',
    ours: {
      error:
        "tools.ts: Parameter 'value' of Tools.Pattern() is a RegExp, which JSON does not have. " +
        'Declare a string, and create the RegExp in the method.',
    },
  },
  Narrowed: {
    reason: 'The type of a property that several types have is the intersection of its types.',
    ours: closed({ value: { type: 'number' } }, ['value']),
  },
  ArticleFlags: {
    reason: 'A mapped type over the keys of a type keeps the question marks.',
    ours: closed(
      {
        id: { type: 'boolean' },
        title: { type: 'boolean' },
        body: { type: 'boolean' },
        tags: { type: 'boolean' },
      },
      ['id', 'title', 'tags'],
    ),
  },
  RequiredArticle: { reason: 'Required<T> requires all properties.', ours: closed(ARTICLE, ALL_OF_ARTICLE) },
  RequiredFlags: { reason: '-? requires all properties.', ours: closed(ARTICLE, ALL_OF_ARTICLE) },
  ParametersOf: {
    reason: 'TypeScript infers the type.',
    ours: { ...closedTuple({ type: 'string' }, { type: 'string', enum: ['c', 'f'] }), minItems: 1 },
  },
  ReturnOf: { reason: 'TypeScript infers the type.', ours: closed({ done: { type: 'boolean' } }, ['done']) },
  Present: { reason: 'NonNullable<T> leaves out null.', ours: { type: 'string' } },
  ValuesOfArticle: {
    reason: 'JSON has no undefined.',
    ours: { anyOf: [{ anyOf: UNION_OF_ARTICLE }, { type: 'null' }] },
  },
  Timestamp: { reason: 'Of a Date and a text, which JSON writes alike, the text remains.', ours: { type: 'string' } },
  Booking: {
    reason: 'Of a Date and a text, which JSON writes alike, the text remains.',
    ours: closed(
      {
        from: { type: 'string' },
        until: { type: ['string', 'null'] },
        reminders: { type: 'array', items: { type: 'string' } },
      },
      ['from', 'reminders'],
    ),
  },
  UploadedText: {
    reason: 'JSON has no Buffer, so the text remains.',
    ours: closed({ name: { type: 'string' }, content: { type: 'string' } }, ['name', 'content']),
  },
  CountryCode: { reason: 'A text without lower case is a pattern.', ours: { type: 'string', pattern: '^\\P{Ll}*$' } },
  OpeningHours: {
    reason: 'The names of the items of a tuple are no titles.',
    ours: closed({ Monday: HOURS, Tuesday: HOURS, Wednesday: HOURS }, []),
  },
  SortBy: {
    reason: 'The names of the items of a tuple are no titles.',
    ours: {
      type: 'array',
      items: closedTuple(
        { type: 'string', enum: ['deletedAt', 'email', 'id', 'role'] },
        { type: 'string', enum: ['asc', 'desc'] },
      ),
    },
  },
  Mail: { reason: 'The keys match the template.', ours: closed(MAIL, ['to', 'subject', 'template']) },
  QueuedMail: {
    reason: 'The keys match the template.',
    ours: closed(
      {
        id: { type: 'string' },
        attempts: { type: 'number' },
        body: closed({ ...MAIL, priority: { type: 'string', enum: ['low', 'high'] } }, [
          'to',
          'subject',
          'template',
          'priority',
        ]),
      },
      ['id', 'attempts', 'body'],
    ),
  },
  PartialCustomer: {
    reason: 'Partial<T> leaves out the methods of a class, which JSON does not have.',
    ours: {
      ...closed(CUSTOMER, []),
      $defs: { OrderRow: ORDER_ROW, CustomerRow: closed(CUSTOMER, ['name', 'orders', 'id', 'createdAt']) },
    },
  },
};
