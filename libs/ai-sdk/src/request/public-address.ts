import { lookup as lookupAll, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** The special IPv4 networks of the IANA registry: private, local, shared, reserved. */
const SPECIAL_IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';

/** The host of each virtual machine in Azure, which configures it. Its address looks public. */
const AZURE_HOST = '168.63.129.16/32';

/** IPv6 has one public network, and special networks inside it. */
const PUBLIC_IPV6 = '2000::/3';
const SPECIAL_IPV6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const special = new BlockList();
const publicIpv6 = new BlockList();
addTo(special, `${SPECIAL_IPV4} ${AZURE_HOST}`, 'ipv4');
addTo(special, SPECIAL_IPV6, 'ipv6');
addTo(publicIpv6, PUBLIC_IPV6, 'ipv6');

/** Whether an IP address is on the public internet. Others may reach services of this machine. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return publicIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}

/** The error code of {@link publicLookup}. */
export const PRIVATE_ADDRESS = 'ERR_PRIVATE_ADDRESS';

/**
 * The lookup of a connection that may only lead to the public internet. The connection uses the
 * addresses checked here, so another answer of the name server does not matter.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  const all: LookupOptions & { all: true } = { ...options, all: true };
  lookupAll(hostname, all, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    if (error || !first) return callback(error ?? new Error('The host has no address.'), []);
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(Object.assign(new Error('The host is not public.'), { code: PRIVATE_ADDRESS }), []);
    }
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

function addTo(list: BlockList, networks: string, family: 'ipv4' | 'ipv6'): void {
  for (const network of networks.split(' ')) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
}
