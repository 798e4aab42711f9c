// The internal report as plain data: the parts that are shown here. The server makes it with the code of report.html.

export interface Rule {
  group: Record<string, unknown>;
  context: Record<string, unknown>;
  measure: string;
  value: number | null;
  a1: number;
  n1: number;
  a2: number;
  n2: number;
}

export interface GuardRules {
  kind: string;
  rules: Rule[];
}

export interface Finding {
  attack: string;
  level: string;
  verdict: string;
  best: number | null;
  average: number | null;
  baseline: number | null;
  against: string;
  affected: number | null;
}

export interface Estimate {
  value: number;
  low: number;
  high: number;
}

export interface GroupFairness {
  column: string;
  scores: Record<string, number>;
  groups: { group: string; rows: number; positive: number; low: number; high: number; accuracy: number }[];
}

export interface Model {
  classifier: string;
  trained: string;
  tested: string;
  scores: Record<string, Estimate>;
  lost: Record<string, Estimate>;
  fairness: GroupFairness[];
}

export interface Utility {
  models: Model[];
  guess: number;
  train_rows: number;
  test_rows: number;
  learnt: string;
}

export interface Report {
  attacks?: Finding[];
  weaknesses?: Record<string, string>;
  risk_before?: Record<string, number>;
  loss_per_column?: Record<string, number>;
  utility?: Utility;
  report: {
    summary?: Record<string, string[]>;
    rules?: GuardRules[];
    guards_before?: (GuardRules & { holds: boolean; sentence: string })[];
    not_covered?: string[];
  };
}
