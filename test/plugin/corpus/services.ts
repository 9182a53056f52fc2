// Types as public services write them: pages, filters, events, webhooks, settings, entities.

// Pages
export interface PageRequest {
  page?: number;
  limit?: number;
  sortBy?: string;
  sortOrder?: 'ASC' | 'DESC';
  search?: string;
  filters?: Record<string, unknown>;
}
export interface CursorRequest {
  first?: number;
  after?: string | null;
  last?: number;
  before?: string | null;
}
export interface PageOf<T> {
  data: T[];
  meta: { total: number; page: number; perPage: number; prev: number | null; next: number | null };
}
export interface MemberRow {
  id: string;
  email: string;
  role: MemberRole;
  deletedAt: string | null;
}
export type MemberPage = PageOf<Omit<MemberRow, 'deletedAt'>>;
export interface EdgeOf<T> {
  cursor: string;
  node: T;
}
export interface MemberConnection {
  edges: EdgeOf<MemberRow>[];
  pageInfo: { hasNextPage: boolean; endCursor?: string };
}
export type SortBy = [field: keyof MemberRow, order: 'asc' | 'desc'][];

// Names of values
export enum MemberRole {
  Owner = 'owner',
  Admin = 'admin',
  Guest = 'guest',
}
export const ORDER_STATES = ['pending', 'paid', 'shipped', 'cancelled'] as const;
export type OrderState = (typeof ORDER_STATES)[number];
export const CompareOperators = { Equal: '==', Less: '<', AtMost: '<=', In: 'In' } as const;
export type CompareOperator = (typeof CompareOperators)[keyof typeof CompareOperators];
export enum Weekday {
  Monday = 1,
  Tuesday,
  Wednesday,
}
export type OpeningHours = Partial<Record<keyof typeof Weekday, [from: string, to: string][]>>;
export type Permission = `${'read' | 'write'}:${'users' | 'orders'}`;
export type Grants = Record<MemberRole, Permission[]>;
export type OrderTransition = { [From in OrderState]?: readonly OrderState[] };

// Filters
export interface CompareFilter {
  field: string;
  operator: CompareOperator;
  value: string | number | boolean;
}
export type FilterGroup = { and: FilterNode[] } | { or: FilterNode[] } | { not: FilterNode };
export type FilterNode = CompareFilter | FilterGroup;
export interface Matchers<T> {
  eq?: T;
  in?: T[];
  gt?: T;
  lt?: T;
}
export type WhereOf<T> = { [K in keyof T]?: T[K] | Matchers<T[K]> };
export type MemberWhere = WhereOf<Pick<MemberRow, 'id' | 'email'>>;
export type MongoQuery = { $and?: MongoQuery[]; $or?: MongoQuery[] } & { name?: string | { $regex: string } };
export type MemberSelect = { [K in keyof MemberRow]?: boolean };
export type MemberOrder = { [K in keyof Pick<MemberRow, 'id' | 'role'>]: 'asc' | 'desc' };
export interface FindArgs {
  where?: MemberWhere;
  select?: MemberSelect;
  orderBy?: MemberOrder | MemberOrder[];
  take?: number;
}
export interface GeoFilter {
  $near: { $geometry: { type: 'Point'; coordinates: [number, number] }; $maxDistance?: number };
}
export type Range<T extends number | string> = { min: T; max?: T } | { min?: T; max: T };
export type PriceRange = Range<number>;

// Commands and events
export interface EventMeta {
  correlationId: string;
  causationId?: string;
  occurredAt: string;
}
export interface DomainEventOf<Name extends string, Payload> {
  readonly name: Name;
  readonly version: 1;
  readonly payload: Readonly<Payload>;
  readonly metadata: EventMeta;
}
export type OrderPlaced = DomainEventOf<'order.placed', { orderId: string; total: MoneyAmount; note?: string }>;
export type OrderEvent = OrderPlaced | DomainEventOf<'order.cancelled', { orderId: string; reason: string | null }>;
export interface EventPayloads {
  'user.created': { id: string };
  'user.renamed': { id: string; name: string };
}
export type UserEvent = { [K in keyof EventPayloads]: { type: K; data: EventPayloads[K] } }[keyof EventPayloads];
export interface WebhookBody {
  orderId?: string;
  amount?: number;
  [key: string]: unknown;
}
export class OrderPaid {
  constructor(
    readonly orderId: string,
    readonly amount: number,
    readonly tags: string[] = [],
  ) {}
}
export interface Envelope<T> {
  id: string;
  attempts: number;
  body: T;
}
export type QueuedMail = Envelope<Mail & { priority: 'low' | 'high' }>;
export interface Mail {
  to: string | string[];
  subject: string;
  template: { id: string; variables: Record<string, string | number> } | { html: string; text?: string };
  headers?: { [name: `X-${string}`]: string };
}
export type JobResult = { status: 'done'; value: unknown } | { status: 'failed'; error: { message: string } };

// Bodies
export type CountryCode = Uppercase<string>;
export interface MoneyAmount {
  amount: number;
  currency: 'EUR' | 'USD';
}
export interface CreateOrder {
  customer: { email: string; phone?: string };
  items: Array<{ sku: string; quantity: number; options?: Record<string, string> }>;
  shippingAddress: PostalAddress;
  billingAddress?: PostalAddress | null;
  coupon?: string | null;
}
export interface PostalAddress {
  line1: string;
  line2: string | null;
  zip: string;
  country: string;
}
export type UpdateOrder = Partial<Omit<CreateOrder, 'items'>> & { readonly version: number };
export type PatchOf<T> = { [K in keyof T]?: T[K] | null };
export type PatchMember = PatchOf<Pick<MemberRow, 'email' | 'role'>>;
export type JsonPatch = (
  | { op: 'add' | 'replace'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move'; from: string; path: string }
)[];
export type Credentials = { password: string; code?: never } | { code: string; password?: never };
export type SignIn = { email: string } & Credentials;
export type UploadedText = { name: string; content: string | Buffer };
export type Timestamp = Date | string;
export interface Booking {
  from: Timestamp;
  until?: Timestamp | null;
  reminders: (Date | string)[];
}
export interface Measurement {
  at: number | Date;
  value: number | bigint;
}

// Settings
export type LogLevel = 'debug' | 'info' | 'warn' | false;
export interface StorageSettings {
  driver: 's3' | 'disk';
  s3?: { bucket: string; region: string };
  disk?: { root: string };
  log: LogLevel | LogLevel[];
}
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
export type FrozenSettings = DeepReadonly<StorageSettings>;
export type Overrides = { [K in keyof StorageSettings as `with${Capitalize<K>}`]?: StorageSettings[K] };
export interface Feature {
  key: string;
  enabled: boolean | { percentage: number } | { userIds: readonly string[] };
}

// Trees and values
export interface MenuItem {
  label: string;
  href?: string;
  children?: MenuItem[];
}
export interface CommentThread {
  body: string;
  replies: CommentThread[];
  parent?: CommentThread | null;
}
export type JsonPrimitive = string | number | boolean | null;
export interface JsonList extends Array<JsonContent> {}
export type JsonContent = JsonPrimitive | JsonList | { [key: string]: JsonContent };
export interface WithJson {
  data: JsonContent;
  extra?: { [key: string]: JsonContent };
}
export type Rule = { field: string; equals: string } | Rule[];

// Entities
export class BaseRow {
  id!: string;
  createdAt!: string;
}
export class CustomerRow extends BaseRow {
  name!: string;
  orders!: OrderRow[];
  rename(name: string): void {
    this.name = name;
  }
}
export class OrderRow extends BaseRow {
  customer!: CustomerRow;
  lines?: { sku: string }[];
}
export type PartialCustomer = Partial<CustomerRow>;
export type CustomerFields = Pick<CustomerRow, 'name' | 'createdAt'>;
export type NewCustomer = Omit<CustomerRow, 'id' | 'orders' | 'rename'>;
export type CustomerId = string & { readonly __brand: 'CustomerId' };
export interface Ownership {
  userId: CustomerId;
  role: Exclude<MemberRole, MemberRole.Guest>;
}
