const { rspack } = require('@rspack/core');

const [folder] = process.argv.slice(2);
const missing = /^(@nestjs\/(microservices|websockets)|file-type|@ai-sdk\/(anthropic|openai-compatible))/;

const compiler = rspack({
  mode: 'none',
  target: 'node',
  entry: './src/main.ts',
  output: { path: folder, filename: 'rspack.cjs' },
  resolve: { extensions: ['.ts', '.js'] },
  plugins: [new rspack.IgnorePlugin({ resourceRegExp: missing })],
  module: {
    rules: [
      {
        test: /\.ts$/,
        loader: 'builtin:swc-loader',
        options: {
          jsc: {
            // Without it, methods become functions, whose parameters have no names that tell anything.
            target: 'es2023',
            parser: { syntax: 'typescript', decorators: true },
            transform: { legacyDecorator: true, decoratorMetadata: true },
          },
        },
      },
    ],
  },
});
compiler.run((error, stats) => {
  if (error) throw error;
  if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
  // Its threads end before the process does.
  compiler.close((failure) => {
    if (failure) throw failure;
  });
});
