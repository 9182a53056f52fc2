/** The version in package.json; a spec compares them. */
export const PACKAGE_VERSION = '0.1.0';
