module.exports = (options) => ({
  ...options,
  externals: [],
  output: { path: process.env.BUNDLES, filename: 'webpack.cjs' },
});
