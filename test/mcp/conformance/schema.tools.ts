import { Injectable } from '@nestjs/common';
import { type JsonSchema, Tool } from '@nestor-ai/core';

/** Keywords that have to reach clients as they are. */
const SCHEMA_2020_12: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** `x-mcp-header` makes clients repeat an argument in an HTTP header. */
const HEADER_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', description: 'Repeated in Mcp-Param-Region', 'x-mcp-header': 'Region' },
    level: { type: 'integer', description: 'Not repeated' },
  },
};

/** The tools of the suite whose schemas matter. */
@Injectable()
export class SchemaTools {
  @Tool({ mcp: true, name: 'json_schema_2020_12_tool', inputSchema: SCHEMA_2020_12 })
  schema2020(input: object): string {
    return JSON.stringify(input);
  }

  @Tool({ mcp: true, name: 'test_x_mcp_header', inputSchema: HEADER_SCHEMA })
  header({ region }: { region?: string }): string {
    return `region=${region ?? 'none'}`;
  }
}
