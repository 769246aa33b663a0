import java.nio.file.*;
import java.util.*;
import javax.annotation.processing.*;
import javax.lang.model.element.TypeElement;

/** Would run within the compiler. */
public class Evil extends AbstractProcessor {
    @Override
    public boolean process(Set<? extends TypeElement> types, RoundEnvironment environment) {
        try {
            System.err.println(Files.readString(Path.of("@SECRET@")));
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
        return false;
    }
}
