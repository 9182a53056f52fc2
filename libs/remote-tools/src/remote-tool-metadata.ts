/** Where a tool of another service comes from, in `toolMetadata.remote`. */
export interface RemoteToolMetadata {
  readonly service: string;
  /** The name of the tool in the service. */
  readonly name: string;
}
