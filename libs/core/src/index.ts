export * from './model/index.js';
export * from './tool/index.js';
