import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { type ContentPlace, ContentRedactor, Tool, ToolContext } from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { newAuditFile, recordsIn, startWithFile } from './audited.js';

const places: ContentPlace[] = [];

/** Knows the secrets by their form. */
class Redactor extends ContentRedactor {
  override redact(text: string, place: ContentPlace) {
    places.push(place);
    return text.replace(/secret-\w+/g, '***');
  }
}

@Injectable()
class Bank {
  @Tool() login(password: string, _context: ToolContext) {
    return `secret-result-${password.length}`;
  }
  @Tool() fail() {
    throw new Error('auth failed for postgres://app:secret-error@db');
  }
  @Tool({ needsApproval: true }) wire(iban: string) {
    return iban;
  }
}

describe('secrets', () => {
  it('are not in an audit: neither what the redactor takes out, nor what tools are given, answer or throw', async () => {
    const file = newAuditFile();
    const calls = [
      toolCall('login', { password: 'secret-argument' }),
      toolCall('login', '{"password": "secret-broken'),
      toolCall('fail'),
      toolCall('secret-tool'),
      toolCall('tell me secret-name'),
      toolCall('wire', { iban: 'secret-iban' }, 'secret id'),
    ];
    const providers = [{ provide: ContentRedactor, useClass: Redactor }];
    const script = [{ text: 'secret-completion', toolCalls: calls }, 'done'];
    const { client } = await startWithFile({ providers: [Bank] }, script, file, {}, { providers });
    const request = { user: { id: 'ann', token: 'secret-token' }, headers: { authorization: 'secret-header' } };
    const asked = await client
      .prompt('My secret-prompt')
      .toolContext({ key: 'secret-context' })
      .request(request)
      .call()
      .chatResponse();
    const toolCallId = asked!.result!.output.toolCalls[0]!.id;
    const decision = { toolCallId, approved: true, arguments: { iban: 'secret-approved' } };
    await client.prompt().request(request).toolApprovals([decision]).call().content();

    expect(readFileSync(file, 'utf8')).not.toMatch(/secret/);
    const shown = recordsIn(file).map(({ tool, arguments: args }) => `${tool} ${args}`);
    expect([...new Set(shown)].toSorted()).toEqual([
      '_OTHER {}',
      'fail {}',
      'login {"password": "***',
      'login {"password":"***"}',
      'wire {"iban":"***"}',
    ]);
    expect(recordsIn(file).at(-1)).toMatchObject({ tool: 'wire', modelArguments: '{"iban":"***"}' });
    expect(places).toContainEqual({ sink: 'audit', kind: 'arguments', toolName: 'wire' });
    expect(new Set(places.map(({ kind }) => kind))).toEqual(new Set(['arguments']));
  });

  it('are not in an audit where the redactor fails', async () => {
    const file = newAuditFile();
    const providers = [
      {
        provide: ContentRedactor,
        useValue: {
          redact: () => {
            throw new Error('secret-argument');
          },
        },
      },
    ];
    const script = [{ toolCalls: [toolCall('login', { password: 'secret-argument' })] }, 'done'];
    const { client } = await startWithFile({ providers: [Bank] }, script, file, {}, { providers });
    await client.prompt('Go').call().content();
    expect(recordsIn(file).map((record) => [record.tool, record.arguments])).toEqual([
      ['login', undefined],
      ['login', undefined],
    ]);
    expect(readFileSync(file, 'utf8')).not.toMatch(/secret/);
  });
});
