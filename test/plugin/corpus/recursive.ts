// Recursive types.

export interface TreeNode {
  value: string;
  children: TreeNode[];
}
export interface LinkedList {
  value: number;
  next?: LinkedList;
}
export interface Employee {
  name: string;
  manager: Employee | null;
}
export interface Ping {
  pong?: Pong;
}
export interface Pong {
  ping?: Ping;
}
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export interface Tree<T> {
  value: T;
  left?: Tree<T>;
  right?: Tree<T>;
}
export type NumberTree = Tree<number>;
export type Expression =
  { op: 'number'; value: number } | { op: 'add'; left: Expression; right: Expression } | { op: 'not'; of: Expression };
export type NestedTexts = (string | NestedTexts)[];
export interface Comment {
  text: string;
  replies?: Comment[];
  author: { name: string; best?: Comment };
}
export interface Directory {
  entries: Record<string, Directory>;
}
export interface Forest {
  trees: TreeNode[];
  oldest?: TreeNode;
}
