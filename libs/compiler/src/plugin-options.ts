/** What `nest-cli.json` has as `options` of the plugin. There are none yet. */
export type PluginOptions = Readonly<Record<string, unknown>>;
