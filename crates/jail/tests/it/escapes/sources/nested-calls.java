public class NestedCalls {
    public static void main(String[] arguments) {
        System.out.println(@NESTED@);
    }
}
