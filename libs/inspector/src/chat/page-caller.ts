import { ForbiddenException, Inject, Injectable } from '@nestjs/common';
import { type AiInspectorOptions, INSPECTOR_OPTIONS } from '../inspector.options.js';

/** Who guards and tools see when the page runs something. */
@Injectable()
export class PageCaller {
  constructor(@Inject(INSPECTOR_OPTIONS) private readonly options: AiInspectorOptions) {}

  /** Whether users of the page may act as another user. */
  get canImpersonate(): boolean {
    return this.options.impersonate !== undefined;
  }

  /**
   * @param user the other user; undefined for the user of the page
   * @throws ForbiddenException if it is not possible
   */
  async of(request: unknown, user: string | undefined): Promise<unknown> {
    if (user === undefined || user === '') return request;
    const { impersonate } = this.options;
    if (impersonate) return impersonate(user, request);
    throw new ForbiddenException('To act as another user, give AiInspectorModule the option impersonate.');
  }
}
