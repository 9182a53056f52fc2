/** An option that can only be `true` needs no argument. */
type BuilderArguments<Value> = [Value] extends [true | undefined] ? [value?: true] : [value: Value];

/** One chainable method per option, plus `build()`. */
export type FluentBuilder<Options, Product> = {
  [Key in keyof Options]-?: (...value: BuilderArguments<Options[Key]>) => FluentBuilder<Options, Product>;
} & {
  build(): Product;
};

/** A class whose constructor takes options. */
export type MadeOfOptions<Product> = new (options: never) => Product;
type OptionsOf<Class> = Class extends new (options: infer Options) => unknown ? NonNullable<Options> : never;

/** The builder of a class, or of a subclass with its own options. */
export type BuilderOf<Class extends MadeOfOptions<unknown>> = FluentBuilder<OptionsOf<Class>, InstanceType<Class>>;

/** Like {@link fluentBuilder}, for classes whose subclasses inherit `builder()`. */
export function builderOf<Class extends MadeOfOptions<unknown>>(type: Class, initial?: object): BuilderOf<Class> {
  return fluentBuilder((options: object) => new type(options as never), initial) as unknown as BuilderOf<Class>;
}

/**
 * Creates a fluent builder for constructor options: `X.builder().a(1).b(2).build()` equals
 * `new X({ a: 1, b: 2 })`.
 *
 * Every `builder()` of this library uses it, so a new option needs no new method.
 *
 * @param create receives the collected options when `build()` is called
 * @param initial options that are already set
 */
export function fluentBuilder<Options extends object, Product>(
  create: (options: Options) => Product,
  initial: Partial<Options> = {},
): FluentBuilder<Options, Product> {
  const collected: Record<PropertyKey, unknown> = { ...initial };
  const builder: object = new Proxy(Object.create(null) as object, {
    get(_target, key) {
      if (key === 'build') return () => create({ ...collected } as Options);
      // `await` would call a `then` method, so the builder must not have one.
      if (typeof key === 'symbol' || key === 'then') return undefined;
      return (...given: [unknown?]) => {
        collected[key] = given.length === 0 ? true : given[0];
        return builder;
      };
    },
  });
  return builder as FluentBuilder<Options, Product>;
}
