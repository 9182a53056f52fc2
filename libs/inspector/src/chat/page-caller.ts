import { ForbiddenException, Inject, Injectable } from '@nestjs/common';
import { needsNoUser } from '@nestor-ai/core/internal';
import { type AiInspectorOptions, INSPECTOR_OPTIONS } from '../inspector.options.js';

/** Who guards, tools and the `ApprovalPolicy` see when the page reads or runs something. */
@Injectable()
export class PageCaller {
  constructor(@Inject(INSPECTOR_OPTIONS) private readonly options: AiInspectorOptions) {}

  /** Whether users of the page may act as another user. */
  get canImpersonate(): boolean {
    return this.options.impersonate !== undefined;
  }

  /**
   * @param user the other user; anything but a text, or an empty one, for the user of the page
   * @throws ForbiddenException if it is not possible
   */
  async of(request: unknown, user: unknown): Promise<unknown> {
    if (typeof user !== 'string' || user === '') {
      needsNoUser(request);
      return request;
    }
    const { impersonate } = this.options;
    if (impersonate) return impersonate(user, request);
    throw new ForbiddenException('To act as another user, give AiInspectorModule the option impersonate.');
  }
}
