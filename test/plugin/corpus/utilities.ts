// Mapped types and the utility types of TypeScript.

export interface Article {
  id: number;
  title: string;
  body?: string;
  tags: string[] | null;
}
export type PartialArticle = Partial<Article>;
export type RequiredArticle = Required<Article>;
export type ReadonlyArticle = Readonly<Article>;
export type PickedArticle = Pick<Article, 'id' | 'body'>;
export type OmittedArticle = Omit<Article, 'tags'>;
export type NewArticle = Omit<Article, 'id'> & Partial<Pick<Article, 'id'>>;
export type TextRecord = Record<string, string>;
export type UnitRecord = Record<'metric' | 'imperial', number>;
export type ArticleRecord = Record<string, Article>;
export type NumberRecord = Record<number, string>;
export type PartialRecord = Partial<Record<'a' | 'b', boolean>>;
export type Excluded = Exclude<'a' | 'b' | 'c', 'a'>;
export type Extracted = Extract<string | number | boolean, string | boolean>;
export type Present = NonNullable<string | null | undefined>;
export type KeysOfArticle = keyof Article;
export type ValuesOfArticle = Article[keyof Article];
export type TitleOfArticle = Article['title'];
export type ElementOfTags = NonNullable<Article['tags']>[number];
export type Flags<T> = { [K in keyof T]: boolean };
export type ArticleFlags = Flags<Article>;
export type OptionalFlags = { [K in keyof Article]?: K };
export type RequiredFlags = { [K in keyof Article]-?: Article[K] };
export type Prefixed = { [K in keyof Article as `new_${K}`]: Article[K] };
export type WithoutTags = { [K in keyof Article as Exclude<K, 'tags'>]: Article[K] };
export type Nullish<T> = { [K in keyof T]: T[K] | null };
export type NullishArticle = Nullish<Article>;
export type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;
export interface Settings {
  ui: { theme: 'dark' | 'light'; zoom: number };
  on: boolean;
}
export type DeepSettings = DeepPartial<Settings>;
export type ParametersOf = Parameters<(city: string, unit?: 'c' | 'f') => void>;
export type ReturnOf = ReturnType<() => { done: boolean }>;
export type AwaitedText = Awaited<Promise<string>>;
export type UpperUnit = Uppercase<'a' | 'b'>;
export type IsText<T> = T extends string ? 'text' : 'other';
export type Conditional = IsText<'x'>;
export type ConditionalUnion = IsText<'x' | 5>;
export type ItemOf<T> = T extends (infer I)[] ? I : never;
export type Inferred = ItemOf<{ a: number }[]>;
