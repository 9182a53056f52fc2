import { createDefaultEsmPreset } from 'ts-jest';

export default {
  ...createDefaultEsmPreset(),
  testEnvironment: 'node',
  rootDir: 'src',
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};
