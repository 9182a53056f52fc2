export * from './model/index.js';
export * from './observability/index.js';
export * from './tool/index.js';
export * from './execution/index.js';
export * from './memory/index.js';
export * from './advisor/index.js';
export * from './client/index.js';
export * from './nest/index.js';
