export class Customer {
  constructor(
    readonly id: number,
    readonly name: string,
  ) {}
}

/** The customers of the page's examples. */
export const customerRepository = {
  findById: (id: number): Customer => new Customer(id, 'Ada'),
};
