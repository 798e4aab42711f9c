import type { HierarchyNode } from "../../../api/types";

export interface Branch extends HierarchyNode {
  children: Branch[];
}

export interface Branches {
  roots: Branch[];
  byId: Map<string, Branch>;
}

/** The nodes as a tree. */
export function branches(nodes: readonly HierarchyNode[]): Branches {
  const byId = new Map(nodes.map((node) => [node.id, { ...node, children: [] as Branch[] }]));
  const roots: Branch[] = [];
  for (const node of byId.values()) {
    const parent = node.parent === null ? undefined : byId.get(node.parent);
    (parent?.children ?? roots).push(node);
  }
  return { roots, byId };
}

/** Whether these nodes can be moved below that one: it must be one level above all of them. */
export function mayMove(nodes: readonly (Branch | undefined)[], to: Branch | undefined): boolean {
  return to !== undefined && nodes.length > 0 && nodes.every((node) => node !== undefined && node.level === to.level - 1);
}
