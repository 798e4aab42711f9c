export { useStudio } from "./context";
export { useAnswer } from "./useAnswer";
export * from "./useJob";
export * from "./usePages";
export * from "./useTable";
