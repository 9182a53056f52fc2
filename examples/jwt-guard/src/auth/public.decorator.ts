import { SetMetadata } from '@nestjs/common';

export const IS_PUBLIC = 'isPublic';

/** Lets everybody call a handler, signed in or not. */
export const Public = () => SetMetadata(IS_PUBLIC, true);
